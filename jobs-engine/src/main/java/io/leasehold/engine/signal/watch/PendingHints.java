package io.leasehold.engine.signal.watch;

import io.leasehold.engine.signal.wakeup.SendNotifications;
import io.leasehold.engine.signal.watch.WatchHint.About;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The hints about watched jobs that are still to be sent to other processes. Safe to share. */
final class PendingHints implements SendNotifications.Message {

  static final String CHANNEL = "leasehold_watch";

  // Guarded by this.
  private final Map<About, Set<Long>> waiting = new EnumMap<>(About.class);

  synchronized void add(About about, Collection<Long> jobs) {
    waiting.computeIfAbsent(about, _ -> new LinkedHashSet<>()).addAll(jobs);
  }

  @Override
  public String channel() {
    return CHANNEL;
  }

  @Override
  public synchronized List<String> texts() {
    var texts = new ArrayList<String>();
    waiting.forEach((about, jobs) -> texts.addAll(WatchHint.inWords(about, jobs)));
    waiting.clear();
    return texts;
  }
}
