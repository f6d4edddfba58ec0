package io.leasehold.runs;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Reports what a run writes as events of its job, line by line. Each event has the log position
 * after its line, so that a worker that adopts the run continues there. The lines that the previous
 * worker reported are in the job's history, and that worker cannot add to it once another holds the
 * lease.
 */
final class TellLog {

  private static final String KIND = "log";
  private static final int PAGE = 1_000;

  /** The longest piece of a line in one event; as JSON it may be six times as long. */
  private static final int LINE_MAX = 8_192;

  private static final int READ_MAX = 8 * LINE_MAX;

  /** The first field of a serialised {@link Line}. */
  private static final Pattern AT = Pattern.compile("\\A\\{\\s*\"at\"\\s*:\\s*([0-9]{1,18})\\b");

  private final Runner runner;
  private final JobService jobs;
  private final JobContext job;
  private final RunId id;
  private long at = -1;

  TellLog(Runner runner, JobService jobs, JobContext job, RunId id) {
    this.runner = runner;
    this.jobs = jobs;
    this.job = job;
    this.id = id;
  }

  /**
   * A line, or a piece of a long one.
   *
   * @param at the number of bytes in the log up to the end of the line
   * @param text the line without its terminator
   */
  private record Line(long at, String text) {}

  /** Reports the complete lines so far. */
  void tellLines() throws IOException, InterruptedException {
    while (tellSome(false)) {
      job.throwIfCancelled();
    }
  }

  /** Reports the rest of the log of a run that has ended. */
  void tellAll() throws IOException, InterruptedException {
    while (tellSome(true)) {
      job.throwIfCancelled();
    }
  }

  // Returns whether more may be available at once.
  private boolean tellSome(boolean isWhole) throws IOException, InterruptedException {
    if (at < 0) {
      at = job.isAdopted() ? told() : 0;
    }
    byte[] some;
    try (var log = runner.log(id, at)) {
      some = log.readNBytes(READ_MAX);
    }
    var isLast = isWhole && some.length < READ_MAX;
    var begin = 0;
    for (var end = end(some, begin, isLast); end > begin; end = end(some, begin, isLast)) {
      at += end - begin;
      job.event(KIND, new Line(at, text(some, begin, end)));
      begin = end;
    }
    return some.length == READ_MAX;
  }

  // The position after the next line or piece; {@code begin} if there is none yet.
  private static int end(byte[] some, int begin, boolean isLast) {
    var most = Math.min(some.length, begin + LINE_MAX);
    for (var i = begin; i < most; i++) {
      if (some[i] == '\n') {
        return i + 1;
      }
    }
    if (most < some.length) {
      return beforeCharacter(some, most);
    }
    return isLast ? some.length : begin;
  }

  // Does not split a multi-byte character, if the bytes are text.
  private static int beforeCharacter(byte[] some, int end) {
    var before = end;
    while (end - before < 4 && (some[before] & 0xC0) == 0x80) {
      before--;
    }
    return before;
  }

  private static String text(byte[] some, int begin, int end) {
    var length = end - begin;
    if (some[end - 1] == '\n') {
      length -= length > 1 && some[end - 2] == '\r' ? 2 : 1;
    }
    return new String(some, begin, length, StandardCharsets.UTF_8);
  }

  // How much of the log is already reported since the attempt began: earlier attempts had other
  // logs.
  private long told() {
    var told = 0L;
    var cursor = new EventCursor(job.attemptToken(), 0);
    while (true) {
      var page = jobs.events(job.caller(), job.id(), cursor, PAGE).orElseThrow();
      for (var event : page.events()) {
        told = Math.max(told, place(event));
      }
      if (page.events().isEmpty()) {
        return told;
      }
      cursor = page.next();
    }
  }

  private static long place(JobEvent event) {
    var match = AT.matcher(event.body());
    return event.kind().equals(KIND) && match.find() ? Long.parseLong(match.group(1)) : 0;
  }
}
