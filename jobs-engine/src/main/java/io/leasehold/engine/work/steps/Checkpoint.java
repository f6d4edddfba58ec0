package io.leasehold.engine.work.steps;

import io.leasehold.engine.service.values.Json;
import java.util.Optional;
import java.util.function.Consumer;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint of a job, as one attempt writes and reads it. Thread-safe among the attempt's
 * threads.
 *
 * <p>A checkpoint is cached once it is committed, as in {@link Steps}.
 */
public final class Checkpoint {

  private static final int CHARACTERS_MAX = 1 << 20;

  private final Holder holder;
  private final Consumer<JSON> kept;

  // Guarded by this: the committed checkpoint, null for none; whether it is known; and whether a
  // checkpoint was written whose commit is not confirmed.
  private @Nullable JSON last;
  private boolean isRead;
  private boolean doubtful;

  /**
   * Creates the checkpoint of a job. Nothing is read before the first use.
   *
   * @param kept called with each committed checkpoint
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
    return json.map(stored -> Stored.read("checkpoint", stored, type));
  }

  private Optional<JSON> read() {
    var read =
        holder
            .transactions()
            .asTenant(holder.caller(), Holder.ONE_STATEMENT, tx -> FindCheckpoint.find(tx, holder));
    remember(read);
    return read;
  }

  /** Whether a transaction that wrote a checkpoint may still be open. */
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

  // While a write is in doubt, the value may have been read in a transaction that is rolled back.
  private synchronized void remember(Optional<JSON> read) {
    if (!doubtful) {
      last = read.orElse(null);
      isRead = true;
    }
  }
}
