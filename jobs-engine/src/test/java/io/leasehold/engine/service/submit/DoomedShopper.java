package io.leasehold.engine.service.submit;

import static java.util.stream.Collectors.joining;

import io.leasehold.engine.ClientProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A process that buys, and is killed amid its transactions.
 *
 * @param process it
 * @param name what its shoppers' names begin with
 * @param purchases how many it commits before
 * @param backends the server's processes that work for it
 */
record DoomedShopper(ClientProcess process, String name, int purchases, Set<String> backends)
    implements AutoCloseable {

  static DoomedShopper start(String jdbcUrl, String name, long seed, int purchases)
      throws IOException {
    return new DoomedShopper(
        ClientProcess.start(ShopperMain.class, jdbcUrl, name, Long.toString(seed)),
        name,
        purchases,
        new LinkedHashSet<>());
  }

  /**
   * Kills it if its time has come, and it has begun a transaction that it has not ended. Answers
   * how many of those there were.
   */
  int killAmidTransactions(Connection administrator)
      throws IOException, SQLException, InterruptedException {
    while (process.said().ready()) {
      backends.add(process.nextLine());
    }
    if (count(administrator, "shop.purchase WHERE starts_with(shopper, '%s,')".formatted(name))
        < purchases) {
      return 0;
    }
    process.freeze();
    var open =
        count(
            administrator,
            "pg_stat_activity WHERE state = 'idle in transaction' AND pid IN (%s)"
                .formatted(backends.stream().collect(joining(","))));
    if (open > 0) {
      process.kill();
    } else {
      process.wake();
    }
    return open;
  }

  private static int count(Connection administrator, String from) throws SQLException {
    try (var statement = administrator.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + from)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  boolean isAlive() {
    return process.process().isAlive();
  }

  @Override
  public void close() {
    process.close();
  }
}
