package io.leasehold.engine.signal.watch;

import io.leasehold.db.Notifications;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.watch.WatchHint.About;
import io.leasehold.engine.signal.watch.Watchers.Watched;
import io.leasehold.engine.signal.watch.Watchers.Watcher;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobWatch;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Tells who watches a job that something happened to it: here by a call, elsewhere by a hint, which
 * is sent where another process said that it watches the job. One thread calls all who watch.
 *
 * <p>A hint may be lost, and is not sent before it is known who wants it. So each job's watchers
 * are called twice soon after the first of them began, all when others can be heard again, and each
 * once in a while whatever happens.
 */
public final class HintedJobWatch implements JobWatch, JobChanges {

  private static final int INTERESTS_MOST = 200_000;
  private static final Duration ANNOUNCE_EVERY = Duration.ofSeconds(10);

  /** So many newcomers are answered with one announcement. */
  private static final Duration ANSWER_WITHIN = Duration.ofMillis(50);

  /** When an announcement has arrived everywhere, and when it surely has. */
  private static final List<Duration> FIRST_CALLS =
      List.of(Duration.ofMillis(100), Duration.ofMillis(900));

  /** How often watchers are called where nobody else is heard. */
  private static final Duration DEAF_EVERY = Duration.ofSeconds(1);

  /** When others that were not heard for so long are not counted on. */
  private static final Duration DEAF_AFTER = Duration.ofSeconds(10);

  /** When others are heard again, calls are spread over a second for 10,000 jobs. */
  private static final long SPREAD_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final TellWatchers others;
  private final Notifications notifications;
  private final RandomGenerator random;
  private final Duration every;
  private final Watchers watchers = new Watchers();
  private final Interests interests = new Interests(INTERESTS_MOST);
  private final ScheduledThreadPoolExecutor thread = SparseThread.named("leasehold-watch");
  private final Set<Long> rung = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean answering = new AtomicBoolean();
  private volatile boolean announces;

  @Inject
  HintedJobWatch(
      TellWatchers others, Notifications notifications, RandomGenerator random, WatchTerms terms) {
    this.others = others;
    this.notifications = notifications;
    this.random = random;
    this.every = terms.every();
    notifications.hear(TellWatchers.CHANNEL, new Others());
  }

  /** Begins to tell others again and again what is watched here. */
  public void start() {
    announces = true;
    announceLater();
  }

  // Whatever happens, as when a handler took all memory: others would forget what is watched.
  private void announceAgain() {
    try {
      announce();
    } finally {
      announceLater();
    }
  }

  private void announceLater() {
    if (announces) {
      in(ANNOUNCE_EVERY, this::announceAgain);
    }
  }

  private void in(Duration pause, Runnable work) {
    var _ = thread.schedule(work, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Tells others what happened last, and no more. Who watches here is still called. */
  public void stop() {
    announces = false;
    others.tellNow();
  }

  @Override
  public Watch watch(SecurityContext caller, JobId id, Runnable changed) {
    var job = JobHash.of(id);
    var watcher = new Watcher(changed);
    var watched = watchers.add(job, watcher);
    if (watched != null) {
      others.tell(About.WATCHED, List.of(job));
      new Calls(job, watched).goOn();
    }
    return () -> watchers.remove(job, watcher);
  }

  @Override
  public <T> void changed(Collection<T> those, Function<? super T, JobId> id) {
    if (watchers.isEmpty() && interests.isEmpty()) {
      return;
    }
    var now = System.nanoTime();
    var elsewhere = new ArrayList<Long>();
    for (var one : those) {
      var job = JobHash.of(id.apply(one));
      ring(job);
      if (interests.has(job, now)) {
        elsewhere.add(job);
      }
    }
    if (!elsewhere.isEmpty()) {
      others.tell(About.CHANGED, elsewhere);
    }
  }

  // However often it is rung until it is called, it is called once.
  private void ring(long job) {
    if (watchers.find(job) != null && rung.add(job)) {
      thread.execute(() -> call(job));
    }
  }

  private void call(long job) {
    rung.remove(job);
    var watched = watchers.find(job);
    if (watched != null) {
      watched.call();
    }
  }

  private void announce() {
    interests.forgetOld(System.nanoTime());
    var jobs = watchers.jobs();
    if (!jobs.isEmpty()) {
      others.tell(About.WATCHED, jobs);
    }
  }

  private boolean hears() {
    return notifications.silentFor().filter(silent -> silent.compareTo(DEAF_AFTER) < 0).isPresent();
  }

  /** The calls of a job's watchers that come without a cause. */
  private final class Calls implements Runnable {

    private final long job;
    private final Watched watched;
    private int made;

    private Calls(long job, Watched watched) {
      this.job = job;
      this.watched = watched;
    }

    @Override
    public void run() {
      if (watchers.find(job) == watched) {
        try {
          watched.call();
        } finally {
          made++;
          goOn();
        }
      }
    }

    private void goOn() {
      in(pause(), this);
    }

    // Shortened by chance: what was watched at the same moment is not called so for ever.
    private Duration pause() {
      if (made < FIRST_CALLS.size()) {
        return FIRST_CALLS.get(made);
      }
      var most = hears() || every.compareTo(DEAF_EVERY) < 0 ? every : DEAF_EVERY;
      return Duration.ofNanos((long) (most.toNanos() * (0.8 + random.nextDouble() / 5)));
    }
  }

  private final class Others implements Notifications.Hearer {

    @Override
    public void heard(String said) {
      WatchHint.of(said).filter(hint -> !others.isOwn(hint)).ifPresent(this::take);
    }

    private void take(WatchHint hint) {
      switch (hint.about()) {
        case WATCHED -> interests.note(hint.jobs(), System.nanoTime());
        case CHANGED -> hint.jobs().forEach(HintedJobWatch.this::ring);
        case ASKED -> answer();
      }
    }

    private void answer() {
      if (answering.compareAndSet(false, true)) {
        in(
            ANSWER_WITHIN,
            () -> {
              answering.set(false);
              announce();
            });
      }
    }

    @Override
    public void connected() {
      others.tell(About.ASKED, List.of());
      announce();
      var jobs = watchers.jobs();
      for (var job : jobs) {
        var after = (long) (random.nextDouble() * SPREAD_NANOS * jobs.size());
        in(Duration.ofNanos(after), () -> ring(job));
      }
    }
  }
}
