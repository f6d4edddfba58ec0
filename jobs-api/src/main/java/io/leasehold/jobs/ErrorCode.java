package io.leasehold.jobs;

/** Names every error that the platform reports. A name is never reused or given a new meaning. */
public enum ErrorCode {
  /** A row with this key exists already. */
  KEY_TAKEN(Blame.CALLER),
  /** A row refers to another that is not there, or is referred to by one that is. */
  REFERENCE_BROKEN(Blame.CALLER),
  /**
   * A value does not fit its column or breaks one of the table's rules, or a statement asks for
   * more than the server supports.
   */
  VALUE_REFUSED(Blame.CALLER),
  /** A statement names a tenant that is not the caller's. */
  TENANT_FOREIGN(Blame.CALLER),
  /** A check of the job's type refused its input or request; nothing was stored. */
  INPUT_REFUSED(Blame.CALLER),
  /** A value is larger than what is kept of it. */
  TOO_LARGE(Blame.CALLER),
  /** A job should wait for one that is not there, or not the caller's; nothing was stored. */
  DEPENDENCY_UNKNOWN(Blame.CALLER),
  /**
   * A record should mirror a job, and is not there or not the caller's, or its table is not
   * declared as a mirror; nothing was stored.
   */
  MIRROR_UNKNOWN(Blame.CALLER),
  /** A record should mirror a job, and mirrors another that has not ended; nothing was stored. */
  MIRROR_BUSY(Blame.CALLER),
  /** The process that should run the job knows no handler for it. */
  HANDLER_UNKNOWN(Blame.CALLER),
  /**
   * The job's output, or a value that is kept with the job, cannot be read as what was asked for.
   */
  RESULT_UNREADABLE(Blame.CALLER),

  /** No connection became free in time. */
  POOL_EXHAUSTED(Blame.CAPACITY),
  /** A lock was not to be had in time. */
  LOCK_TIMEOUT(Blame.CAPACITY),
  /** This process has as many jobs in memory as it takes; nothing was taken. */
  MEMORY_FULL(Blame.CAPACITY),
  /** This process runs as many jobs as it may, and keeps no queue; nothing was stored. */
  DIRECT_FULL(Blame.CAPACITY),
  /** The queue, or the tenant in it, is paused, and the job may not wait; nothing was stored. */
  QUEUE_PAUSED(Blame.CAPACITY),
  /** A job should wait for others, and would run in this process, which keeps no queue. */
  DEPENDENCY_UNMET(Blame.CAPACITY),
  /** The engine of this process does not run, not yet or no more, and the job should run in it. */
  ENGINE_STOPPED(Blame.CAPACITY),

  /** The transaction met another that changed the same rows; run again, it may succeed. */
  SERIALIZATION_FAILURE(Blame.PLATFORM),
  /** The transaction waited for one that waited for it; run again, it may succeed. */
  DEADLOCK(Blame.PLATFORM),
  /** A statement ran into its time limit, or was cancelled. */
  STATEMENT_CANCELLED(Blame.PLATFORM),
  /** The transaction ran, or was left idle, longer than it may. */
  TRANSACTION_TIMEOUT(Blame.PLATFORM),
  /** Nested work failed and its failure was swallowed: nothing was committed. */
  TRANSACTION_ROLLED_BACK(Blame.PLATFORM),
  /**
   * The thread was interrupted before it sent a statement, or the commit: nothing was committed.
   */
  INTERRUPTED(Blame.PLATFORM),
  /**
   * The server lets no session in or has ended it, or the connection broke before the commit was
   * sent: nothing was committed.
   */
  DATABASE_UNREACHABLE(Blame.PLATFORM),
  /** The disk of the database is full: nothing was committed, and nothing larger can be stored. */
  DATABASE_FULL(Blame.PLATFORM),
  /**
   * The database takes no writes, as a standby does: nothing was committed. A transaction that
   * asked to be read-only and wrote gets the same.
   */
  DATABASE_READ_ONLY(Blame.PLATFORM),
  /**
   * The database answers but cannot do its work for another reason: it is out of memory, cannot
   * read or write its files, or is in the wrong state for the statement.
   */
  DATABASE_DEGRADED(Blame.PLATFORM),
  /** The connection broke while the commit was under way: it may have happened or not. */
  OUTCOME_UNKNOWN(Blame.PLATFORM),
  /** The worker no longer holds the job's lease: what it wanted to write was not written. */
  LEASE_LOST(Blame.PLATFORM),
  /**
   * A file of a job cannot be written or read in this process: it has no place for files, or the
   * file is not in it.
   */
  OUTPUT_UNAVAILABLE(Blame.PLATFORM),
  /** The statement cannot be scoped to the caller's tenant with certainty, so it was not sent. */
  STATEMENT_REFUSED(Blame.PLATFORM),
  /** The database refused a statement for a reason that has no code of its own. */
  STATEMENT_FAILED(Blame.PLATFORM),
  /** The database is not set up so that tenants are isolated and commits durable. */
  DATABASE_UNSAFE(Blame.PLATFORM);

  private final Blame blame;

  ErrorCode(Blame blame) {
    this.blame = blame;
  }

  /** Who can put it right. */
  public Blame blame() {
    return blame;
  }

  /**
   * Whether the database could not work at that moment, whatever it was asked: the same statement
   * may succeed when the database has recovered. Nothing was committed.
   */
  public boolean isOutage() {
    return switch (this) {
      case DATABASE_UNREACHABLE, DATABASE_FULL, DATABASE_READ_ONLY, DATABASE_DEGRADED -> true;
      default -> false;
    };
  }

  /**
   * Who can put it right: HTTP answers 4xx, 429 and 5xx in this order. One without a connection
   * ({@link #POOL_EXHAUSTED}) is 503.
   */
  public enum Blame {
    /** The request is wrong; repeated as it is, it fails again. */
    CALLER,
    /** There is too much of something at present; repeated later, it may succeed. */
    CAPACITY,
    /** The platform or its database failed. */
    PLATFORM
  }
}
