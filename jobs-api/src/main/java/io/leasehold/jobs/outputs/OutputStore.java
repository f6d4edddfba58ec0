package io.leasehold.jobs.outputs;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * Stores the bytes of job files. The default is a folder that all processes share, unless a service
 * binds another store. The database records the name of each file in the job, who may read it, and
 * which stored files are still in use.
 *
 * <p>Each stored file is written once, by one attempt, under a name that was never used before and
 * consists of letters, digits and {@code -}. Safe to share between threads.
 */
public interface OutputStore {

  /**
   * Creates a file.
   *
   * @throws IOException if a file with this name exists
   */
  NewFile create(TenantId tenant, JobId job, String file) throws IOException;

  /**
   * Opens a file at its beginning, even while it is being written; skipping bytes is fast.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  InputStream open(TenantId tenant, JobId job, String file) throws IOException;

  /**
   * Returns the length of a file in bytes.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  long length(TenantId tenant, JobId job, String file) throws IOException;

  /** Deletes files; missing files are ignored. */
  void remove(TenantId tenant, JobId job, Set<String> files) throws IOException;

  /**
   * Visits all stored files, job by job. Files that are added or removed during the visit may be
   * included or not.
   */
  void visit(Visitor visitor) throws IOException;

  /** A file that one thread is writing. */
  interface NewFile extends Closeable {

    /** Appends bytes. */
    void write(byte[] bytes, int offset, int count) throws IOException;

    /** Returns after everything written survives a crash of the machine. */
    void sync() throws IOException;
  }

  /** Receives the stored files. */
  @FunctionalInterface
  interface Visitor {

    /** Called for the files of a job, in any number. */
    void job(TenantId tenant, JobId job, List<String> files) throws IOException;
  }
}
