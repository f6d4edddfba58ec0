package io.leasehold.engine.work.outputs;

import io.leasehold.engine.work.outputs.files.FileNames;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputStore;
import io.leasehold.jobs.outputs.OutputWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jooq.JSON;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a job, as one attempt writes them. Thread-safe among the attempt's threads.
 *
 * <p>A file's bytes are synced before a row names the file, so a readable file is always complete.
 */
public final class Outputs {

  private static final Logger log = LoggerFactory.getLogger(Outputs.class);

  private static final int BUFFER = 64 << 10;

  private final Holder holder;
  private final OutputTerms terms;
  private final FileNames names;

  /**
   * Own parts of drafts that were reset. Until the next checkpoint, an attempt may continue from
   * them.
   */
  private final Set<String> dropped = ConcurrentHashMap.newKeySet();

  /** Files that were stored in transactions whose commit is not confirmed. */
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();

  /** Creates the files of a job. Nothing is written before the first use. */
  public Outputs(Holder holder, OutputTerms terms) {
    this.holder = holder;
    this.terms = terms;
    this.names = new FileNames(holder.token());
  }

  /** As {@link io.leasehold.jobs.JobContext#output}. */
  public JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException {
    var file = names.output();
    return keep(new KeepOutput.Ready(name, mediaType, file, written(file, writer)));
  }

  /** As {@link io.leasehold.jobs.JobContext#draft}. */
  public OutputDraft draft(OutputDraft.Kept kept) throws IOException {
    return new GrowingOutput(this, areThere(kept) ? kept : OutputDraft.Kept.NOTHING);
  }

  /**
   * Removes dropped parts that this committed checkpoint does not contain. Later attempts continue
   * from this checkpoint or a later one, so they no longer need those parts. The checkpoint was
   * written under the fence, so an attempt that overtakes this one also has it.
   */
  public void goOnFrom(JSON checkpoint) {
    var nobodys = new HashSet<>(dropped);
    nobodys.removeIf(checkpoint.data()::contains);
    if (!nobodys.isEmpty()) {
      dropped.removeAll(nobodys);
      try {
        terms.requireStore().remove(holder.caller().tenant(), holder.id(), nobodys);
      } catch (IOException e) {
        log.warn("parts of a draft are left for the sweep", e);
      }
    }
  }

  /** Whether a transaction that stored an output may still be open. */
  public boolean areDoubtful() {
    return !doubtful.isEmpty();
  }

  /** Returns a name for a part of a draft. */
  String partName() {
    return names.draft();
  }

  /** Marks a part that this attempt wrote for removal, once the checkpoint does not contain it. */
  void drop(String part) {
    dropped.add(part);
  }

  OutputStore.NewFile create(String file) throws IOException {
    return terms.requireStore().create(holder.caller().tenant(), holder.id(), file);
  }

  InputStream open(String file) throws IOException {
    return terms.requireStore().open(holder.caller().tenant(), holder.id(), file);
  }

  long bytesMost() {
    return terms.bytesMost();
  }

  /** Assigns a name to a file whose bytes are synced. */
  JobOutput keep(KeepOutput.Ready ready) {
    doubtful.add(ready.file());
    var kept =
        holder
            .transactions()
            .asTenant(
                holder.caller(),
                Holder.ONE_STATEMENT,
                tx -> {
                  var outcome = KeepOutput.keep(tx, holder, ready);
                  tx.afterCommit(() -> doubtful.remove(ready.file()));
                  return outcome;
                });
    return kept.required(); // Here: an exception inside would roll back a joined transaction.
  }

  private MeasuredFile.Written written(String file, OutputWriter writer) throws IOException {
    try (var measured = new MeasuredFile(create(file), bytesMost())) {
      var out = new BufferedOutputStream(measured, BUFFER);
      writer.write(out);
      out.flush();
      return measured.end();
    }
  }

  private boolean areThere(OutputDraft.Kept kept) throws IOException {
    var store = terms.requireStore();
    for (var part : kept.parts()) {
      try {
        if (store.length(holder.caller().tenant(), holder.id(), part.file()) < part.length()) {
          return false;
        }
      } catch (NoSuchFileException e) {
        return false;
      }
    }
    return true;
  }
}
