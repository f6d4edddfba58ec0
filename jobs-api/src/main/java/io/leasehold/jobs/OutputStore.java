package io.leasehold.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/**
 * Where the bytes of files are that jobs leave: a folder that all processes share, unless a service
 * binds another. What a job's file is called, who may read it, and which of what is here still
 * counts, the database says.
 *
 * <p>Each file is written once, by one attempt, under a name that was never used before and has
 * letters, digits and {@code -} only. Safe to share between threads.
 */
public interface OutputStore {

  /**
   * Begins a file.
   *
   * @throws IOException if there is one of this name
   */
  NewFile create(TenantId tenant, JobId job, String file) throws IOException;

  /**
   * Opens a file from its beginning, also one that is being written; to skip bytes is fast.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  InputStream open(TenantId tenant, JobId job, String file) throws IOException;

  /**
   * How many bytes a file has.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  long length(TenantId tenant, JobId job, String file) throws IOException;

  /** Removes files; those that are not there are none to remove. */
  void remove(TenantId tenant, JobId job, Set<String> files) throws IOException;

  /** Shows all that there is, job by job. What comes or goes meanwhile may be shown or not. */
  void visit(Visitor visitor) throws IOException;

  /** A file that is being written, by one thread. */
  interface NewFile extends Closeable {

    /** Adds bytes. */
    void write(byte[] bytes, int offset, int count) throws IOException;

    /** Returns when all that was written survives a crash of the machine. */
    void sync() throws IOException;
  }

  /** Is shown what there is. */
  @FunctionalInterface
  interface Visitor {

    /** A job's files, of which it may have any number. */
    void job(TenantId tenant, JobId job, List<String> files) throws IOException;
  }
}
