package io.leasehold.jobs.spi;

import io.leasehold.jobs.JobRequest;
import java.util.UUID;

/**
 * A module's own record that mirrors a job, see {@link JobRequest#mirroredBy}. Immutable.
 *
 * @param table the table that contains the record
 * @param record the id of the record
 */
public record Mirror(MirrorTable table, UUID record) {}
