package io.leasehold.arch.planted;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Static fields. */
@SuppressWarnings({"NonFinalStaticField", "UnusedVariable", "MutablePublicArray"})
public final class StaticState {

  private StaticState() {}

  public static final class NotFinal {
    static int count = 0;
  }

  public static final class Counter {
    static final AtomicInteger COUNT = new AtomicInteger();
  }

  public static final class OfThread {
    static final ThreadLocal<String> TENANT = new ThreadLocal<>();
  }

  public static final class OfChangeableType {
    static final HashSet<String> SEEN = new HashSet<>();
  }

  public static final class OfChangeableValue {
    static final Map<String, String> CACHE = new ConcurrentHashMap<>();
  }

  public static final class Elements {
    static final int[] SIZES = {1, 2};
  }

  /** The clean twin. */
  public static final class Constants {
    static final Logger log = LoggerFactory.getLogger(Constants.class);
    static final int SIZE = 1;
    static final List<String> NAMES = List.of("a");
    static final Map<String, String> COPY = Map.copyOf(new HashMap<>());
    static final Set<String> SEEN = Set.of();
    final AtomicInteger count = new AtomicInteger();
  }

  /** A clean twin: the compiler's own array of its values is none of ours. */
  public enum Choice {
    ONE
  }
}
