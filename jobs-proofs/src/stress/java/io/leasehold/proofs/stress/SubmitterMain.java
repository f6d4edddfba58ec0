package io.leasehold.proofs.stress;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.Submission;
import io.leasehold.proofs.stress.StressJobs.Work;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A submitter as a process of its own: does what it is told, line by line, and answers in lines.
 */
final class SubmitterMain {

  /** How many jobs it submits when told {@code timed}, and when told {@code midnight}. */
  static final int TIMED = 320;

  static final int MIDNIGHT = 200;

  private static final int DELAY_MOST_MILLIS = 6_000;

  private final Submitter submitter;
  private final int tenant;
  private final List<JobId> ids = new ArrayList<>();

  private SubmitterMain(Submitter submitter, int tenant) {
    this.submitter = submitter;
    this.tenant = tenant;
  }

  /**
   * Submits.
   *
   * @param args the database's JDBC URL, and the number of a tenant
   */
  public static void main(String... args) throws IOException {
    try (var submitter = new Submitter(args[0])) {
      var program = new SubmitterMain(submitter, Integer.parseInt(args[1]));
      System.out.println("clock " + System.currentTimeMillis());
      var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(program.answer(line));
      }
    }
  }

  private String answer(String line) {
    return switch (line) {
      case "timed" -> submitted(timed());
      case "midnight" -> submitted(midnight());
      case "find" ->
          "found " + ids.stream().filter(id -> submitter.find(tenant, id).isPresent()).count();
      default -> throw new IllegalArgumentException(line);
    };
  }

  private String submitted(List<JobRequest<?, ?>> requests) {
    submitter.submit(tenant, requests).stream().map(Submission::jobId).forEach(ids::add);
    return "submitted " + requests.size();
  }

  private static List<JobRequest<?, ?>> timed() {
    var random = new SplittableRandom(1);
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = 0; i < TIMED; i++) {
      requests.add(
          switch (i % 32) {
            case 0, 1, 2 -> ClockJobs.UNLIMITED.request(work(ClockJobs.LONG.toMillis()));
            case 3 -> ClockJobs.LIMITED.request(work(ClockJobs.LIMIT.toMillis() - 1_000));
            case 4 -> ClockJobs.LIMITED.request(work(60_000));
            case 5, 6, 7, 8, 9, 10, 11, 12 -> ClockJobs.FLAKY.request("");
            case 13, 14, 15, 16, 17, 18, 19, 20 -> ClockJobs.DELAYED.request(0);
            default -> delayed(1 + random.nextInt(DELAY_MOST_MILLIS));
          });
    }
    return requests;
  }

  private static JobRequest<?, ?> delayed(int millis) {
    return ClockJobs.DELAYED.request(millis).delay(Duration.ofMillis(millis));
  }

  private static Work work(long millis) {
    return new Work((int) millis, false);
  }

  private static List<JobRequest<?, ?>> midnight() {
    var requests = new ArrayList<JobRequest<?, ?>>();
    for (int i = 0; i < MIDNIGHT; i++) {
      var type = i % 2 == 0 ? StressJobs.PLAIN : StressJobs.TRANSACTIONAL;
      requests.add(type.request(work(10)));
    }
    return requests;
  }
}
