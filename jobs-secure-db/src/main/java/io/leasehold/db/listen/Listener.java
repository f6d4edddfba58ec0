package io.leasehold.db.listen;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Notifications;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Listens on the registered channels, from its start until it is closed. */
public final class Listener implements Notifications {

  private static final Pattern CHANNEL = Pattern.compile("leasehold(_[a-z0-9_]{1,40})?");

  private final DbConfig config;
  private final RandomGenerator random;

  // Guarded by this.
  private final Map<String, Hearer> hearers = new LinkedHashMap<>();
  private @Nullable Listening running;

  /**
   * Creates a listener, which opens nothing before its start.
   *
   * @param random keeps many processes from connecting at once
   */
  public Listener(DbConfig config, RandomGenerator random) {
    this.config = config;
    this.random = random;
  }

  @Override
  public boolean areOn() {
    return config.notifications();
  }

  // The same rule as in the SQL function that subscribes.
  private static void requireChannel(String channel) {
    if (!CHANNEL.matcher(channel).matches()) {
      throw new IllegalArgumentException(
          "channel must be \"leasehold\" or begin with \"leasehold_\", not \"%s\""
              .formatted(channel));
    }
  }

  @Override
  public synchronized void hear(String channel, Hearer hearer) {
    requireChannel(channel);
    if (running != null) {
      throw new IllegalStateException(
          "channel %s must be asked for before the start".formatted(channel));
    }
    if (hearers.putIfAbsent(channel, hearer) != null) {
      throw new IllegalStateException("channel %s is heard already".formatted(channel));
    }
  }

  @Override
  public synchronized void start() {
    if (running == null && areOn()) {
      running = Listening.start(config, hearers, new Backoff(random));
    }
  }

  @Override
  public synchronized void close() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  @Override
  public synchronized Optional<Duration> silentFor() {
    return running == null ? Optional.empty() : running.silentFor();
  }
}
