package io.leasehold.engine.work.steps;

import io.leasehold.engine.service.values.Json;
import java.util.Optional;
import java.util.function.Consumer;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint of a job, as one attempt keeps and finds it. Safe to share between its threads.
 *
 * <p>It is remembered when it is committed, as with {@link Steps}.
 */
public final class Checkpoint {

  private static final int CHARACTERS_MAX = 1 << 20;

  private final Holder holder;
  private final Consumer<JSON> kept;

  // Guarded by this: what is committed, null for nothing; whether that is known; and whether one
  // was kept of which it is not known.
  private @Nullable JSON last;
  private boolean isRead;
  private boolean doubtful;

  /**
   * The checkpoint of a job; nothing is read before the first use.
   *
   * @param kept is told of each that is committed
   */
  public Checkpoint(Holder holder, Consumer<JSON> kept) {
    this.holder = holder;
    this.kept = kept;
  }

  /** As {@link io.leasehold.jobs.JobContext#checkpoint}. */
  public void keep(Object value) {
    var json = Json.write("checkpoint", value, CHARACTERS_MAX);
    doubt();
    var _ = holder.repeated(() -> write(json));
  }

  private JSON write(JSON json) {
    return holder
        .transactions()
        .asTenant(
            holder.caller(),
            Holder.ONE_STATEMENT,
            tx -> {
              KeepCheckpoint.keep(tx, holder, json);
              tx.afterCommit(() -> committed(json));
              tx.afterCommit(() -> kept.accept(json));
              return json;
            });
  }

  /** As {@link io.leasehold.jobs.JobContext#lastCheckpoint}. */
  public <T> Optional<T> last(Class<T> type) {
    var json = isKnown() ? known() : holder.repeated(this::read);
    return json.map(its -> Stored.read("checkpoint", its, type));
  }

  private Optional<JSON> read() {
    var read =
        holder
            .transactions()
            .asTenant(holder.caller(), Holder.ONE_STATEMENT, tx -> FindCheckpoint.find(tx, holder));
    remember(read);
    return read;
  }

  /** Whether a transaction that kept one may be open yet. */
  public synchronized boolean isDoubtful() {
    return doubtful;
  }

  private synchronized boolean isKnown() {
    return isRead && !doubtful;
  }

  private synchronized Optional<JSON> known() {
    return Optional.ofNullable(last);
  }

  private synchronized void doubt() {
    doubtful = true;
  }

  private synchronized void committed(JSON json) {
    last = json;
    isRead = true;
    doubtful = false;
  }

  // While one is in doubt, it may have been read in the transaction that will be rolled back.
  private synchronized void remember(Optional<JSON> read) {
    if (!doubtful) {
      last = read.orElse(null);
      isRead = true;
    }
  }
}
