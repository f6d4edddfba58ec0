package io.leasehold.db.connection;

import java.util.List;

/**
 * What is sent before a transaction's first statement, in the same round trip.
 *
 * @param sql statements, each ended by a semicolon
 * @param values for their parameters
 * @param results how many results to skip before those of the statement that follows
 */
public record Opening(String sql, List<String> values, int results) {}
