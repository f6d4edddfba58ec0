package io.leasehold.db.verify;

import io.leasehold.db.Finding;
import java.util.List;

/**
 * What was seen of a database.
 *
 * @param serverVersion its major version, 0 if it could not be asked
 * @param pooled whether connections go through a pooler
 * @param findings all that is wrong; none, if it may be used
 * @param advice what does not break isolation and could be better
 */
public record Verification(
    int serverVersion, boolean pooled, List<Finding> findings, List<Finding> advice) {}
