package io.leasehold.engine.service.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
      Pattern.compile("FE=> Parse\\(stmt=(\\w+),query=\"(.*)\",oids=", Pattern.DOTALL);
  private static final Pattern BOUND = Pattern.compile("FE=> Bind\\(stmt=(\\w+),");
  private static final Pattern VALUE = Pattern.compile("\\$\\d+=<(.*?)>,type=", Pattern.DOTALL);

  private static final Pattern READ = Pattern.compile("job_status_v|list_jobs");
  private static final Map<String, String> named = new ConcurrentHashMap<>();

  /** The statement that reads jobs, by the status view or by the function, sent meanwhile. */
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

    private final List<SentStatement> sent = new ArrayList<>();

    private Log() {
      setLevel(Level.FINEST);
    }

    // What is sent often gets a name, by which alone it is sent from then on.
    @Override
    public synchronized void publish(LogRecord line) {
      var message = line.getMessage();
      PARSED.matcher(message).results().forEach(match -> named.put(match.group(1), match.group(2)));
      var bound = BOUND.matcher(message);
      if (bound.find()) {
        var values = VALUE.matcher(message).results().map(found -> found.group(1)).toList();
        sent.add(new SentStatement(named.getOrDefault(bound.group(1), ""), values));
      }
    }

    synchronized SentStatement statement() {
      var reads = sent.stream().filter(statement -> READ.matcher(statement.sql()).find()).toList();
      if (reads.size() != 1) {
        throw new AssertionError("one statement that reads jobs is sent, not " + sent);
      }
      return reads.getFirst();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
