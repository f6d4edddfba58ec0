package io.leasehold.engine.work.outputs;

import io.leasehold.engine.work.outputs.files.Digest;
import io.leasehold.engine.work.outputs.files.FirstBytes;
import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A draft of a job's output, in one part per attempt that wrote to it. This attempt writes only to
 * its own part. Other parts that are no longer needed are left to the sweep: this attempt may have
 * been overtaken without noticing, and another attempt may continue from them. Its own part is
 * removed after a reset, once the job's checkpoint no longer contains it.
 */
final class GrowingOutput implements OutputDraft {

  private final Outputs outputs;
  private final List<Part> before;
  private @Nullable OwnPart own;
  private boolean closed;

  GrowingOutput(Outputs outputs, Kept kept) {
    this.outputs = outputs;
    this.before = new ArrayList<>(kept.parts());
  }

  /** The part that this attempt writes. */
  private static final class OwnPart {

    private final String name;
    private final OutputStore.NewFile file;
    private long length;

    private OwnPart(String name, OutputStore.NewFile file) {
      this.name = name;
      this.file = file;
    }

    private Part part() {
      return new Part(name, length);
    }
  }

  @Override
  public long length() {
    return kept().bytes();
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    requireOpen();
    MeasuredFile.requireWithin(outputs.bytesMost(), length() + count);
    var part = own();
    part.file.write(bytes, offset, count);
    part.length += count;
  }

  private OwnPart own() throws IOException {
    if (own == null) {
      var name = outputs.partName();
      own = new OwnPart(name, outputs.create(name));
    }
    return own;
  }

  @Override
  public Kept keep() throws IOException {
    requireOpen();
    if (own != null) {
      own.file.sync();
    }
    return kept();
  }

  private Kept kept() {
    var parts = new ArrayList<>(before);
    if (own != null) {
      parts.add(own.part());
    }
    return new Kept(parts);
  }

  @Override
  public void reset() throws IOException {
    requireOpen();
    before.clear();
    closeOwn();
    if (own != null) {
      outputs.drop(own.name);
      own = null;
    }
  }

  @Override
  public String sha256() throws IOException {
    var digest = new Digest();
    for (var part : keep().parts()) {
      try (var in = open(part)) {
        digest.addAll(in);
      }
    }
    return digest.hexadecimal();
  }

  // If the attempt's own part is the whole output, it becomes the file. The parts of other attempts
  // are copied, because their writers may have been overtaken without noticing, and may still be
  // writing.
  @Override
  public JobOutput finish(String name, String mediaType) throws IOException {
    JobOutput.requireValid(name, mediaType);
    var parts = keep().parts();
    var output =
        own != null && parts.size() == 1
            ? outputs.keep(
                new KeepOutput.Ready(
                    name, mediaType, own.name, new MeasuredFile.Written(own.length, sha256())))
            : outputs.output(name, mediaType, out -> copy(parts, out));
    close();
    return output;
  }

  private void copy(List<Part> parts, OutputStream out) throws IOException {
    for (var part : parts) {
      try (var in = open(part)) {
        in.transferTo(out);
      }
    }
  }

  private InputStream open(Part part) throws IOException {
    return new FirstBytes(outputs.open(part.file()), part.length());
  }

  @Override
  public void close() throws IOException {
    closed = true;
    closeOwn();
  }

  private void closeOwn() throws IOException {
    if (own != null) {
      own.file.close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the draft is finished, or closed");
    }
  }
}
