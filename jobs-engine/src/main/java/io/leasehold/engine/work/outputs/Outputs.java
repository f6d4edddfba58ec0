package io.leasehold.engine.work.outputs;

import io.leasehold.engine.work.outputs.files.FileNames;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.JobOutput;
import io.leasehold.jobs.OutputDraft;
import io.leasehold.jobs.OutputStore;
import io.leasehold.jobs.OutputWriter;
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
 * The files of a job, as one attempt leaves them. Safe to share between its threads.
 *
 * <p>The bytes come first, and are safe before a row names them: a file that can be read is whole.
 */
public final class Outputs {

  private static final Logger log = LoggerFactory.getLogger(Outputs.class);

  private static final int BUFFER = 64 << 10;

  private final Holder holder;
  private final OutputTerms terms;
  private final FileNames names;

  /** Own parts of drafts that began anew: an attempt may go on from them as yet. */
  private final Set<String> dropped = ConcurrentHashMap.newKeySet();

  /** Files that were kept in transactions of which it is not known that they are committed. */
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();

  /** The files of a job; nothing is written before the first use. */
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
   * Later attempts go on from this checkpoint, or a later one: what was dropped, and is not in it,
   * is nobody's. It was kept under the fence, so whoever overtakes this attempt has it, too.
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

  /** Whether a transaction that kept one may be open yet. */
  public boolean areDoubtful() {
    return !doubtful.isEmpty();
  }

  /** A name for a part of a draft. */
  String partName() {
    return names.draft();
  }

  /** A part that this attempt wrote is not needed any more, once its checkpoint does without. */
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

  /** Has a name stand for a file whose bytes are safe. */
  JobOutput keep(KeepOutput.Ready ready) {
    doubtful.add(ready.file());
    var kept =
        holder
            .transactions()
            .asTenant(
                holder.caller(),
                Holder.ONE_STATEMENT,
                tx -> {
                  var its = KeepOutput.keep(tx, holder, ready);
                  tx.afterCommit(() -> doubtful.remove(ready.file()));
                  return its;
                });
    return kept.required(); // Here: a failure inside would undo the transaction that it joined.
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
