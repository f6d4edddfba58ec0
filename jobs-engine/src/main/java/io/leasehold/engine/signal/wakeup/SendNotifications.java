package io.leasehold.engine.signal.wakeup;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Notifications;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jooq.Field;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the other processes. Nothing depends on it: each receiver also polls. One thread sends
 * for the whole process, and exists only while it is needed. Safe to share.
 *
 * <p>Notifications are sent in a transaction of their own, never in a caller's. A commit that
 * notifies takes a lock for which all such commits of the whole server wait; a transaction that
 * does nothing else writes nothing to disk, and so holds the lock only briefly.
 *
 * <p>Every session of the database can receive a notification, and can send a forged one. A text
 * therefore names no tenant, no job and no worker, since a worker's id is part of its fence. It
 * begins with a random name of the sending process.
 */
@Singleton
public final class SendNotifications {

  private static final Logger log = LoggerFactory.getLogger(SendNotifications.class);

  /** Limits statements to 200 a second and message, and delays the last of them by no more. */
  private static final Duration WINDOW = Duration.ofMillis(5);

  /** The number of notifications in one statement, of up to eight kilobytes each. */
  private static final int AT_ONCE = 100;

  private final Transactions transactions;
  private final boolean areOn;
  private final String sender = UUID.randomUUID().toString();
  private final Coalesced<Message> pending = new Coalesced<>(WINDOW);
  private final ScheduledThreadPoolExecutor thread = SparseThread.named("leasehold-notify");

  @Inject
  SendNotifications(Transactions transactions, Notifications notifications) {
    this.transactions = transactions;
    this.areOn = notifications.areOn();
  }

  /** What to notify of. Of equal messages that are pending together, only one is sent. */
  public interface Message {

    /** Returns the channel to notify. */
    String channel();

    /** Takes the texts to send: ASCII, up to 7,900 bytes each, since the server accepts 7,999. */
    List<String> texts();
  }

  /** Sends a message soon, from another thread. Does nothing if notifications are off. */
  public void send(Message message) {
    if (areOn) {
      pending.add(message, System.nanoTime()).ifPresent(this::sendIn);
    }
  }

  private void sendIn(long nanos) {
    var _ = thread.schedule(this::sendNow, nanos, TimeUnit.NANOSECONDS);
  }

  /** Sends all pending messages now. */
  public void sendNow() {
    var calls = pending.take(System.nanoTime()).stream().flatMap(this::calls).toList();
    try {
      for (int from = 0; from < calls.size(); from += AT_ONCE) {
        send(calls.subList(from, Math.min(calls.size(), from + AT_ONCE)));
      }
    } catch (JobsException | IllegalStateException e) {
      // The other processes will poll soon. An IllegalStateException means that the database was
      // closed in the meantime.
      log.debug("notification of other processes failed, they poll: {}", e.getMessage());
    }
  }

  private Stream<Field<String>> calls(Message message) {
    return message.texts().stream()
        .map(
            text ->
                function(
                    name("pg_notify"),
                    String.class,
                    val(message.channel()),
                    val(sender + ' ' + text)));
  }

  private void send(List<Field<String>> calls) {
    transactions.asEngine(
        TransactionOptions.defaults().asOneStatement(), tx -> tx.select(calls).fetch());
  }

  /** Returns the text of a notification of another process; empty for one of this process. */
  public Optional<String> textOfOther(String received) {
    var at = received.indexOf(' ');
    return at < 0 || received.substring(0, at).equals(sender)
        ? Optional.empty()
        : Optional.of(received.substring(at + 1));
  }
}
