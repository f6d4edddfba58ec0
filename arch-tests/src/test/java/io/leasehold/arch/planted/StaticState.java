package io.leasehold.arch.planted;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jooq.Name;
import org.jooq.SQLDialect;
import org.jooq.SelectQuery;
import org.jooq.impl.DSL;
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

  public static final class OfKeySet {
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
  }

  public static final class OfSynchronizedMap {
    static final Map<String, String> CACHE = Collections.synchronizedMap(new HashMap<>());
  }

  public static final class OfCopy {
    static final List<String> NAMES = new ArrayList<>(List.of("a"));
  }

  public static final class OfArray {
    static final List<String> NAMES = Arrays.asList("a");
  }

  public static final class OfAnything {
    static final Object ANYTHING = new HashMap<>();
  }

  public static final class OfHolder {
    static final Holder HOLDER = new Holder();

    static final class Holder {
      int count = 0;
    }
  }

  public static final class OfQuery {
    static final SelectQuery<?> QUERY = DSL.using(SQLDialect.POSTGRES).selectQuery();
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
    static final Map<String, String> SORTED = Collections.unmodifiableMap(new TreeMap<>(COPY));
    static final Set<String> COLLECTED = NAMES.stream().collect(Collectors.toUnmodifiableSet());
    static final Duration PAUSE = Duration.ofMillis(1);
    static final Pattern WORD = Pattern.compile("a");
    static final Predicate<String> IS_WORD = word -> WORD.matcher(word).matches();
    static final Optional<Choice> CHOICE = Optional.of(Choice.ONE);
    static final Name NAME = DSL.name("a");
    static final Constants SELF = new Constants(NAMES);

    private final List<String> names;
    private final int size;

    Constants(List<String> names) {
      this.names = List.copyOf(names);
      this.size = names.size();
    }
  }

  /** A clean twin: what is no static field may change. */
  public static final class OwnState {
    final AtomicInteger count = new AtomicInteger();
  }

  /** A clean twin: the compiler's own array of its values is none of ours. */
  public enum Choice {
    ONE
  }
}
