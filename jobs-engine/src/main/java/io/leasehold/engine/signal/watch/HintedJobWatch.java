package io.leasehold.engine.signal.watch;

import io.leasehold.db.Notifications;
import io.leasehold.engine.signal.JobChanges;
import io.leasehold.engine.signal.wakeup.SendNotifications;
import io.leasehold.engine.signal.wakeup.SparseThread;
import io.leasehold.engine.signal.watch.WatchHint.About;
import io.leasehold.engine.signal.watch.Watchers.Watched;
import io.leasehold.engine.signal.watch.Watchers.Watcher;
import io.leasehold.engine.threads.Pauses;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.history.JobWatch;
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
 * Notifies watchers when their job changes. Watchers in this process are called directly. Another
 * process receives a hint if it has announced that it watches the job. One thread calls all
 * watchers.
 *
 * <p>A hint may be lost, and none is sent before the sender knows who is interested. So each job's
 * watchers are also called twice soon after the first of them registers. All watchers are called
 * when other processes can be heard again, and each job's watchers at regular intervals in any
 * case.
 */
public final class HintedJobWatch implements JobWatch, JobChanges {

  private static final int INTERESTS_MOST = 200_000;
  private static final Duration ANNOUNCE_EVERY = Duration.ofSeconds(10);

  /** All processes that ask within this time are answered with one announcement. */
  private static final Duration ANSWER_WITHIN = Duration.ofMillis(50);

  /**
   * By the first call, an announcement has usually arrived everywhere; by the second, it certainly
   * has.
   */
  private static final List<Duration> FIRST_CALLS =
      List.of(Duration.ofMillis(100), Duration.ofMillis(900));

  /** How often watchers are called while no other process can be heard. */
  private static final Duration DEAF_EVERY = Duration.ofSeconds(1);

  /** Other processes count as unreachable after this much silence. */
  private static final Duration DEAF_AFTER = Duration.ofSeconds(10);

  /**
   * When other processes can be heard again, the calls for 10,000 jobs are spread over one second.
   */
  private static final long SPREAD_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final SendNotifications others;
  private final Notifications notifications;
  private final RandomGenerator random;
  private final Duration every;
  private final PendingHints pending = new PendingHints();
  private final Watchers watchers = new Watchers();
  private final Interests interests = new Interests(INTERESTS_MOST);
  private final ScheduledThreadPoolExecutor thread = SparseThread.named("leasehold-watch");
  private final Set<Long> rung = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean answering = new AtomicBoolean();
  private volatile boolean announces;

  @Inject
  HintedJobWatch(
      SendNotifications others,
      Notifications notifications,
      RandomGenerator random,
      WatchTerms terms) {
    this.others = others;
    this.notifications = notifications;
    this.random = random;
    this.every = terms.every();
    notifications.hear(PendingHints.CHANNEL, new Others());
  }

  /** Starts to announce the watched jobs to other processes at regular intervals. */
  public void start() {
    announces = true;
    announceLater();
  }

  // The next announcement is scheduled even after an error, such as a handler that used up all
  // memory: other processes would otherwise forget the watched jobs.
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

  /**
   * Sends the last changes to other processes, and stops announcing. Watchers in this process are
   * still called.
   */
  public void stop() {
    announces = false;
    others.sendNow();
  }

  @Override
  public Watch watch(SecurityContext caller, JobId id, Runnable changed) {
    var job = JobHash.of(id);
    var watcher = new Watcher(changed);
    var watched = watchers.add(job, watcher);
    if (watched != null) {
      tell(About.WATCHED, List.of(job));
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
      tell(About.CHANGED, elsewhere);
    }
  }

  private void tell(About about, Collection<Long> jobs) {
    pending.add(about, jobs);
    others.send(pending);
  }

  // A job that is rung several times before its call is called once.
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
      tell(About.WATCHED, jobs);
    }
  }

  private boolean hears() {
    return notifications.silentFor().filter(silent -> silent.compareTo(DEAF_AFTER) < 0).isPresent();
  }

  /** The calls to a job's watchers that are made without a known change. */
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

    private Duration pause() {
      if (made < FIRST_CALLS.size()) {
        return FIRST_CALLS.get(made);
      }
      var most = hears() || every.compareTo(DEAF_EVERY) < 0 ? every : DEAF_EVERY;
      return Pauses.shortened(most, 0.2, random);
    }
  }

  private final class Others implements Notifications.Hearer {

    @Override
    public void heard(String said) {
      others.textOfOther(said).flatMap(WatchHint::of).ifPresent(this::take);
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
      tell(About.ASKED, List.of());
      announce();
      var jobs = watchers.jobs();
      for (var job : jobs) {
        var after = (long) (random.nextDouble() * SPREAD_NANOS * jobs.size());
        in(Duration.ofNanos(after), () -> ring(job));
      }
    }
  }
}
