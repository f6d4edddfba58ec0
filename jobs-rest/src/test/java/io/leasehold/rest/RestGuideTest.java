package io.leasehold.rest;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.ADMIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the lines of docs/guide/rest.md. */
class RestGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Pattern LINES = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);

  @Test
  void linesOfTheGuideWork() throws IOException, InterruptedException {
    var guide = Files.readString(Path.of("../docs/guide/rest.md"));
    var lines = LINES.matcher(guide).results().map((MatchResult it) -> it.group(1)).toList();
    try (var stack = RestStack.on(database)) {
      var done = stack.done(ACME, (job, name) -> leave(job)).toString();
      var waiting =
          stack
              .jobs()
              .submit(
                  RestStack.caller(ACME), Works.TYPE.request("later").delay(Duration.ofHours(1)))
              .jobId()
              .toString();

      stack
          .schedules()
          .put(
              RestStack.caller(ACME),
              ScheduleRequest.of("nightly", "30 2 * * *", Works.TYPE.request("nightly")));

      assertThat(lines).hasSizeGreaterThan(10);
      for (var line : lines) {
        var job = line.contains("-X POST") ? waiting : done;
        assertThat(run(stack, line, job)).as(line).isNotEmpty().doesNotContain("urn:");
      }
    }
  }

  private static String leave(JobContext job) throws IOException {
    return job.output("report.csv", "text/csv", out -> out.write("a,b\n".getBytes(UTF_8))).name();
  }

  private static String run(RestStack stack, String line, String job)
      throws IOException, InterruptedException {
    var shell = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true);
    shell.environment().put("URL", "http://127.0.0.1:" + stack.port());
    shell.environment().put("TOKEN", stack.issuer().token(ACME, ADMIN));
    shell.environment().put("JOB", job);
    var process = shell.start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(line).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
