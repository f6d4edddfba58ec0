package io.leasehold.proofs.explore;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/**
 * Tells which sessions wait, and for what: for each other, or inside of a statement for these
 * gates, which are advisory locks.
 */
final class Gates implements AutoCloseable {

  private static final int FIRST_SLOT = 4711;

  private final Connection connection;
  private final int pid;
  private final int[] turns;

  Gates(Connection connection, int slots) throws SQLException {
    this.connection = connection;
    this.pid = connection.unwrap(PGConnection.class).getBackendPID();
    this.turns = new int[slots];
    for (var slot = 0; slot < slots; slot++) {
      query("SELECT pg_advisory_lock(?, 0), pg_advisory_lock(?, 1)", slot(slot), slot(slot));
    }
  }

  private static int slot(int slot) {
    return FIRST_SLOT + slot;
  }

  /** Makes a session stop inside of statements, or not. */
  void watch(int slot, Session session, boolean inside, boolean betweenRows) throws SQLException {
    turns[slot] = 0;
    session.set("explore.turn", "0");
    session.set("explore.slot", inside ? String.valueOf(slot(slot)) : "");
    session.set("explore.rows", betweenRows ? "on" : "");
  }

  /** Lets a session go on that waits here. */
  void open(int slot) throws SQLException {
    var parity = turns[slot]++ % 2;
    query(
        "SELECT pg_advisory_unlock(?, ?), pg_advisory_lock(?, ?)",
        slot(slot),
        parity,
        slot(slot),
        parity);
  }

  /** What a session waits for. */
  enum Wait {
    NOTHING,
    GATE,
    OTHER
  }

  /** Looks at all of them at one moment. */
  Map<Integer, Wait> waits(Collection<Session> sessions) throws SQLException {
    var pids = sessions.stream().map(Session::pid).toArray(Integer[]::new);
    Map<Integer, Wait> waits = new HashMap<>();
    try (var statement =
        connection.prepareStatement("SELECT pid, pg_blocking_pids(pid) FROM unnest(?) AS pid")) {
      statement.setArray(1, connection.createArrayOf("int4", pids));
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          var blocking = List.of((Integer[]) rows.getArray(2).getArray());
          waits.put(
              rows.getInt(1),
              blocking.isEmpty() ? Wait.NOTHING : blocking.contains(pid) ? Wait.GATE : Wait.OTHER);
        }
      }
    }
    return waits;
  }

  private void query(String sql, int... values) throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      for (var i = 0; i < values.length; i++) {
        statement.setInt(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
