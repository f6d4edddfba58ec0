package io.leasehold.jobs;

/**
 * Identifies every error that the platform reports. A name is never reused or given a new meaning.
 */
public enum ErrorCode {
  /** A row with this key already exists. */
  KEY_TAKEN(Blame.CALLER),
  /** A row refers to a row that does not exist, or another row still refers to it. */
  REFERENCE_BROKEN(Blame.CALLER),
  /**
   * A value does not fit its column or violates a constraint of the table, or a statement asks for
   * more than the server supports.
   */
  VALUE_REFUSED(Blame.CALLER),
  /** A statement names a tenant other than the caller's. */
  TENANT_FOREIGN(Blame.CALLER),
  /** A check of the job type rejected the input or the request; nothing was stored. */
  INPUT_REFUSED(Blame.CALLER),
  /** A value exceeds the size limit for such values. */
  TOO_LARGE(Blame.CALLER),
  /** A job depends on a job that does not exist or is not the caller's; nothing was stored. */
  DEPENDENCY_UNKNOWN(Blame.CALLER),
  /**
   * The record that should mirror a job does not exist or is not the caller's, or its table is not
   * declared as a mirror; nothing was stored.
   */
  MIRROR_UNKNOWN(Blame.CALLER),
  /**
   * The record that should mirror a job already mirrors another job that has not ended; nothing was
   * stored.
   */
  MIRROR_BUSY(Blame.CALLER),
  /** The process that should run the job has no handler for it. */
  HANDLER_UNKNOWN(Blame.CALLER),
  /** The job's output, or a value stored with the job, cannot be read as the requested type. */
  RESULT_UNREADABLE(Blame.CALLER),

  /** No connection became available in time. */
  POOL_EXHAUSTED(Blame.CAPACITY),
  /** A lock could not be acquired in time. */
  LOCK_TIMEOUT(Blame.CAPACITY),
  /** This process already holds the maximum number of in-memory jobs; the job was not accepted. */
  MEMORY_FULL(Blame.CAPACITY),
  /**
   * This process already runs the maximum number of jobs and keeps no queue; nothing was stored.
   */
  DIRECT_FULL(Blame.CAPACITY),
  /**
   * The queue, or the tenant in that queue, is paused, and the job cannot wait; nothing was stored.
   */
  QUEUE_PAUSED(Blame.CAPACITY),
  /** A job depends on other jobs but would run in this process, which keeps no queue. */
  DEPENDENCY_UNMET(Blame.CAPACITY),
  /** The job should run in this process, but its engine is not started yet or already stopped. */
  ENGINE_STOPPED(Blame.CAPACITY),

  /**
   * The transaction conflicted with another one that changed the same rows; a retry may succeed.
   */
  SERIALIZATION_FAILURE(Blame.PLATFORM),
  /** The transaction and another one waited for each other; a retry may succeed. */
  DEADLOCK(Blame.PLATFORM),
  /** A statement timed out or was cancelled. */
  STATEMENT_CANCELLED(Blame.PLATFORM),
  /** The transaction exceeded its time limit, or was idle for too long. */
  TRANSACTION_TIMEOUT(Blame.PLATFORM),
  /** Nested work failed and its exception was swallowed; nothing was committed. */
  TRANSACTION_ROLLED_BACK(Blame.PLATFORM),
  /** The thread was interrupted before it sent a statement or the commit; nothing was committed. */
  INTERRUPTED(Blame.PLATFORM),
  /**
   * The server rejected or ended the session, or the connection broke before the commit was sent;
   * nothing was committed.
   */
  DATABASE_UNREACHABLE(Blame.PLATFORM),
  /** The database's disk is full; nothing was committed, and nothing larger can be stored. */
  DATABASE_FULL(Blame.PLATFORM),
  /**
   * The database accepts no writes, as on a standby; nothing was committed. A transaction that
   * asked to be read-only and then wrote fails with the same code.
   */
  DATABASE_READ_ONLY(Blame.PLATFORM),
  /**
   * The database responds but cannot do its work for another reason: it is out of memory, cannot
   * read or write its files, or is in the wrong state for the statement.
   */
  DATABASE_DEGRADED(Blame.PLATFORM),
  /** The connection broke during the commit; the transaction may or may not be committed. */
  OUTCOME_UNKNOWN(Blame.PLATFORM),
  /** The worker no longer holds the lease of the job; its write was refused. */
  LEASE_LOST(Blame.PLATFORM),
  /**
   * A file of a job cannot be written or read in this process: the process has no output store, or
   * the file is not in it.
   */
  OUTPUT_UNAVAILABLE(Blame.PLATFORM),
  /**
   * The statement was not sent, because it cannot be scoped to the caller's tenant with certainty.
   */
  STATEMENT_REFUSED(Blame.PLATFORM),
  /** The database rejected a statement for a reason that has no code of its own. */
  STATEMENT_FAILED(Blame.PLATFORM),
  /** The database is not configured to isolate tenants and make commits durable. */
  DATABASE_UNSAFE(Blame.PLATFORM);

  private final Blame blame;

  ErrorCode(Blame blame) {
    this.blame = blame;
  }

  /** Returns who can fix the error. */
  public Blame blame() {
    return blame;
  }

  /**
   * Returns whether the database was unable to work at that moment, whatever the statement. The
   * same statement may succeed after the database recovers. Nothing was committed.
   */
  public boolean isOutage() {
    return switch (this) {
      case DATABASE_UNREACHABLE, DATABASE_FULL, DATABASE_READ_ONLY, DATABASE_DEGRADED -> true;
      default -> false;
    };
  }

  /**
   * Who can fix an error. In this order, HTTP responds with 4xx, 429 and 5xx. {@link
   * #POOL_EXHAUSTED} is an exception: it is 503.
   */
  public enum Blame {
    /** The request is wrong; the same request fails again. */
    CALLER,
    /** Some capacity is currently exhausted; a later retry may succeed. */
    CAPACITY,
    /** The platform or its database failed. */
    PLATFORM
  }
}
