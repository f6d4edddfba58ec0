package io.leasehold.runs;

import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobEvent;
import io.leasehold.jobs.JobService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Tells what a run writes as events of its job, line by line. Each says where in the log it ends,
 * so that whoever adopts the run goes on there: what the worker before had told is in the job's
 * history, and nothing is added to that once the lease is another's.
 */
final class TellLog {

  private static final String KIND = "log";
  private static final int PAGE = 1_000;

  /** So much of a line is told in one piece; as JSON it may be six times as long. */
  private static final int LINE_MAX = 8_192;

  private static final int READ_MAX = 8 * LINE_MAX;

  /** What is written first, of a {@link Line}. */
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
   * @param at how many bytes of the log there are up to its end
   * @param text without the end of the line
   */
  private record Line(long at, String text) {}

  /** Tells the whole lines that there are. */
  void tellLines() throws IOException, InterruptedException {
    while (tellSome(false)) {
      job.throwIfCancelled();
    }
  }

  /** Tells all that there is of a run that has ended. */
  void tellAll() throws IOException, InterruptedException {
    while (tellSome(true)) {
      job.throwIfCancelled();
    }
  }

  // Answers whether there may be more at once.
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

  // Behind the next line or piece; where it begins if there is none yet.
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

  // Not in the midst of a character, if these are characters.
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

  // How much of the log is told already, since the attempt began: those before had other logs.
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
