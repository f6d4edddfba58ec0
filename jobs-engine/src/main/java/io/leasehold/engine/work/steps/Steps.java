package io.leasehold.engine.work.steps;

import io.leasehold.engine.service.values.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a job, as one attempt reaches them. Thread-safe among the attempt's threads.
 *
 * <p>Committed steps are cached. If it is not known whether a step's transaction committed, it may
 * have been rolled back. Such a step is read from the database again, in the transaction that is
 * then current.
 */
public final class Steps {

  private static final int CHARACTERS_MAX = 1 << 20;

  private final Holder holder;
  private final Map<String, JSON> done = new ConcurrentHashMap<>();
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private boolean loaded; // Guarded by this.

  /** Creates the steps of a job. Nothing is read before the first use. */
  public Steps(Holder holder) {
    this.holder = holder;
  }

  /** As {@link io.leasehold.jobs.JobContext#step}. */
  public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception {
    load();
    var before = find(name);
    if (before.isPresent()) {
      return Stored.read("step", before.get(), type);
    }
    T value = body.call();
    return keep(name, Json.write("step", value, CHARACTERS_MAX))
        ? value
        : Stored.read("step", find(name).orElseThrow(holder::lost), type);
  }

  /** Whether a transaction that recorded a step may still be open. */
  public boolean areDoubtful() {
    return !doubtful.isEmpty();
  }

  private synchronized void load() {
    if (!loaded) {
      done.putAll(
          holder.repeated(
              () ->
                  holder
                      .transactions()
                      .asEngine(Holder.ONE_STATEMENT, tx -> LoadSteps.load(tx, holder))));
      loaded = true;
    }
  }

  private Optional<JSON> find(String name) {
    return doubtful.contains(name)
        ? holder.repeated(() -> ask(name))
        : Optional.ofNullable(done.get(name));
  }

  private Optional<JSON> ask(String name) {
    return holder
        .transactions()
        .asTenant(holder.caller(), Holder.ONE_STATEMENT, tx -> FindStep.find(tx, holder, name));
  }

  // Returns whether this call recorded the step; false if another thread was first.
  private boolean keep(String name, JSON value) {
    doubtful.add(name);
    var kept = holder.repeated(() -> write(name, value));
    kept.requireRoom(); // Here, because an exception inside would roll back a joined transaction.
    return !kept.isRepeated();
  }

  private KeepStep.Kept write(String name, JSON value) {
    return holder
        .transactions()
        .asTenant(
            holder.caller(),
            Holder.ONE_STATEMENT,
            tx -> {
              var kept = KeepStep.keep(tx, holder, name, value);
              if (kept.isDone()) {
                tx.afterCommit(() -> committed(name, value));
              }
              return kept;
            });
  }

  private void committed(String name, JSON value) {
    done.put(name, value);
    doubtful.remove(name);
  }
}
