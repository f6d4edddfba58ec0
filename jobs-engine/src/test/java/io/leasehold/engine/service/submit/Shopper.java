package io.leasehold.engine.service.submit;

import static io.leasehold.engine.service.submit.Purchase.PURCHASE;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Buys at random for random tenants: each time a transaction with a business row and its jobs. */
final class Shopper {

  private static final List<SecurityContext> TENANTS =
      IntStream.range(1, 4)
          .mapToObj(i -> SecurityContext.of("ann", new TenantId(new UUID(0, i))).build())
          .toList();
  private static final List<JobType<String, String>> TYPES = List.of(type("pack"), type("send"));
  private static final int SHARED_KEYS = 100;

  private final JobService jobs;
  private final Transactions transactions;
  private final String name;
  private final Random random;
  private final IntConsumer backends;

  private int requests;
  private boolean sharesKey;

  /**
   * One who buys in one thread.
   *
   * @param name unlike any other's
   * @param backends is told which of the server's processes works for it
   */
  Shopper(
      JobService jobs,
      Transactions transactions,
      String name,
      Random random,
      IntConsumer backends) {
    this.jobs = jobs;
    this.transactions = transactions;
    this.name = name;
    this.random = random;
    this.backends = backends;
  }

  private static JobType<String, String> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.shop.tests.%s.v1".formatted(name),
            String.class,
            String.class)
        .queue(name);
  }

  /** How a purchase ended. */
  enum End {
    COMMITTED,
    ROLLED_BACK,
    /** Rolled back to a savepoint, and then committed. */
    PARTLY_ROLLED_BACK,
    /** Committed with the part that a savepoint guarded. */
    PARTS_COMMITTED,
    /** The connection broke: it is committed or not. */
    BROKEN;

    private static End planned(Random random) {
      var percent = random.nextInt(100);
      return percent < 30
          ? ROLLED_BACK
          : percent < 40 ? PARTLY_ROLLED_BACK : percent < 50 ? PARTS_COMMITTED : COMMITTED;
    }
  }

  private static final class ChangedMind extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Makes one. */
  End buy() {
    var planned = End.planned(random);
    sharesKey = false;
    try {
      transactions.asTenant(
          TENANTS.get(random.nextInt(TENANTS.size())),
          tx -> {
            buy(tx, planned);
            return null;
          });
      return planned;
    } catch (ChangedMind e) {
      return End.ROLLED_BACK;
    } catch (JobsException e) {
      return switch (e.code()) {
        case DATABASE_UNREACHABLE, OUTCOME_UNKNOWN -> End.BROKEN;
        default -> throw e;
      };
    }
  }

  private void buy(ScopedTransaction tx, End planned) throws ChangedMind {
    buyPart(tx);
    switch (planned) {
      case ROLLED_BACK -> throw new ChangedMind();
      case PARTLY_ROLLED_BACK -> {
        try {
          tx.savepoint(
              part -> {
                buyPart(part);
                throw new ChangedMind();
              });
        } catch (ChangedMind e) {
          buyPart(tx);
        }
      }
      case PARTS_COMMITTED -> {
        tx.savepoint(
            part -> {
              buyPart(part);
              return null;
            });
        buyPart(tx);
      }
      default -> {}
    }
  }

  private void buyPart(ScopedTransaction tx) {
    var requested = IntStream.range(0, random.nextInt(4)).mapToObj(_ -> request()).toList();
    var submitted = submit(tx, requested);
    var lines = new ArrayList<Purchase.Line>();
    for (int i = 0; i < requested.size(); i++) {
      lines.add(new Purchase.Line(requested.get(i), submitted.get(i)));
    }
    backends.accept(PURCHASE.insert(tx, name, lines));
  }

  private List<Submission> submit(
      ScopedTransaction tx, List<JobRequest<String, String>> requested) {
    return switch (random.nextInt(3)) {
      case 0 -> jobs.submitAll(tx, requested.iterator());
      case 1 -> requested.stream().map(request -> jobs.submit(tx, request)).toList();
      // Joins the transaction of the same caller that is under way.
      default -> requested.stream().map(request -> jobs.submit(tx.caller(), request)).toList();
    };
  }

  private JobRequest<String, String> request() {
    var input = "%s, request %d".formatted(name, requests++);
    var request = TYPES.get(random.nextInt(TYPES.size())).request(input);
    if (random.nextInt(10) == 0) {
      request = request.delay(Duration.ofDays(1));
    }
    return switch (random.nextInt(6)) {
      case 0 -> keyed(request, input);
      case 1 -> sharesKey ? request : keyed(request, sharedKey());
      default -> request;
    };
  }

  // One in a transaction: with several, two of them would wait for each other.
  private String sharedKey() {
    sharesKey = true;
    return "shared " + random.nextInt(SHARED_KEYS);
  }

  private static JobRequest<String, String> keyed(JobRequest<String, String> request, String key) {
    return request.key(key).metadata("key", key);
  }
}
