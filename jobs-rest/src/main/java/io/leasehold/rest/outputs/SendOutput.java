package io.leasehold.rest.outputs;

import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.jobs.outputs.OpenOutput;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.jobs.KnownTags;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stream.SendBytes;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Sends an output file of a job, or a part of it. Sent as an attachment, whatever its media type:
 * no browser may display, under this service's origin, content that a job was made to write.
 */
public final class SendOutput implements Resource {

  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int NOT_MODIFIED = 304;

  private final JobOutputs outputs;
  private final SendBytes send;

  @Inject
  SendOutput(JobOutputs outputs, SendBytes send) {
    this.outputs = outputs;
    this.send = send;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    var found = outputs.open(exchange.caller(), exchange.job(), exchange.named("name"));
    try (var output = found.orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND))) {
      var tag = "\"%s\"".formatted(output.about().sha256());
      if (KnownTags.in(exchange.headers("If-None-Match")).has(tag)) {
        exchange.header("ETag", tag);
        exchange.nothing(NOT_MODIFIED);
      } else {
        send(exchange, output, tag);
      }
    }
  }

  private void send(Exchange exchange, OpenOutput output, String tag) throws IOException {
    var about = output.about();
    var range = range(exchange, about, tag);
    var from = range.map(ByteRange::first).orElse(0L);
    var length = range.map(ByteRange::length).orElse(about.size());
    output.bytes().skipNBytes(from);
    exchange.header("ETag", tag);
    exchange.header("Accept-Ranges", "bytes");
    exchange.header("Content-Disposition", "attachment; filename=\"%s\"".formatted(about.name()));
    range.ifPresent(part -> exchange.header("Content-Range", part.of(about.size())));
    send.send(exchange, range.isPresent() ? PARTIAL : OK, output.bytes(), length);
  }

  // A client that has a part of another version receives the whole file.
  private static Optional<ByteRange> range(Exchange exchange, JobOutput about, String tag) {
    var condition = exchange.headers("If-Range");
    if (!condition.isEmpty() && !condition.equals(List.of(tag))) {
      return Optional.empty();
    }
    try {
      return ByteRange.in(exchange.headers("Range"), about.size());
    } catch (RequestRefusal e) {
      exchange.header("Content-Range", "bytes */%d".formatted(about.size()));
      throw e;
    }
  }
}
