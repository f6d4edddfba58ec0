package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import java.util.List;

/**
 * The result of verifying a database.
 *
 * @param serverVersion its major version, 0 if it could not be read
 * @param pooled whether connections go through a pooler
 * @param findings all problems; empty if the database may be used
 * @param advice what does not break isolation but could be improved
 */
public record Verification(
    int serverVersion, boolean pooled, List<Finding> findings, List<Finding> advice) {}
