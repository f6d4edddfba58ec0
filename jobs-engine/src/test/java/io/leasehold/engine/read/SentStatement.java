package io.leasehold.engine.read;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * A statement, word by word as the driver sent it, and what was bound to it: what the service
 * really asks, and not what it would show.
 *
 * @param sql with $1, $2 and so on
 * @param values as SQL writes them
 */
record SentStatement(String sql, List<String> values) {

  private static final Logger driver = Logger.getLogger("org.postgresql.core.v3");
  private static final Pattern PARSED =
      Pattern.compile("FE=> Parse\\(.*?query=\"(.*)\",oids=", Pattern.DOTALL);
  private static final Pattern VALUE = Pattern.compile("\\$\\d+=<(.*?)>,type=", Pattern.DOTALL);

  /** The statement on the status view that is sent meanwhile. */
  static SentStatement of(Runnable read) {
    var log = new Log();
    var before = driver.getLevel();
    driver.setLevel(Level.FINEST);
    driver.addHandler(log);
    try {
      read.run();
    } finally {
      driver.removeHandler(log);
      driver.setLevel(before);
    }
    return log.statement();
  }

  private static final class Log extends Handler {

    private final List<String> sql = new ArrayList<>();
    private List<String> values = List.of();

    private Log() {
      setLevel(Level.FINEST);
    }

    @Override
    public synchronized void publish(LogRecord line) {
      var message = line.getMessage();
      PARSED.matcher(message).results().forEach(found -> sql.add(found.group(1)));
      // Statements that are known by name follow, and are not parsed again.
      if (message.contains("FE=> Bind(stmt=null") && !sql.isEmpty() && isOnStatus(sql.getLast())) {
        values = VALUE.matcher(message).results().map(found -> found.group(1)).toList();
      }
    }

    synchronized SentStatement statement() {
      var reads = sql.stream().filter(Log::isOnStatus).toList();
      if (reads.size() != 1) {
        throw new AssertionError("one statement on the status view is sent, not " + sql);
      }
      return new SentStatement(reads.getFirst(), values);
    }

    private static boolean isOnStatus(String sql) {
      return sql.contains("job_status_v");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
