package io.leasehold.proofs.stress;

import java.io.IOException;
import java.sql.SQLException;

/** Something that keeps a database from writing for a while. */
interface Fault extends AutoCloseable {

  /** Begins. */
  void strike() throws IOException, SQLException, InterruptedException;

  /** Ends. */
  void mend() throws IOException, SQLException, InterruptedException;

  /** What the server logs of statements that it refuses for it. */
  String refusal();

  /** What the workers are to find the database by. */
  String jdbcUrl();

  @Override
  void close() throws IOException;
}
