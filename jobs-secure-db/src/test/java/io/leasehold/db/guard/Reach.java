package io.leasehold.db.guard;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.sql.SQLData;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jooq.QueryPart;
import org.jooq.conf.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Walks from objects to all objects that public methods and fields lead to, breadth first, without
 * a key to what is private. Whatever a method returns, throws, or hands to a callback is visited.
 *
 * <p>Objects of one class are alike, so few of each are visited, and fewer of those that are only
 * parts of a statement.
 */
final class Reach {

  private static final int ALIKE = 2;
  private static final int ALIKE_PARTS = 1;
  private static final int PARAMETERS = 4;

  /** Void, or waits for another thread; and what changes the configuration that is walked. */
  private static final Set<String> LEFT_OUT =
      Set.of("close", "cancel", "abort", "free", "wait", "notify", "notifyAll", "set");

  /** The packages whose objects are visited; of all others the objects are values. */
  private static final List<String> VISITED =
      List.of(
          "io.leasehold.", "org.jooq.", "org.postgresql.", "com.zaxxer.", "java.sql.", "jdk.proxy");

  /** A step of the walk: what it led to, and how. */
  record Found(Object object, String path) {}

  private final Predicate<Object> forbidden;
  private final Map<Class<?>, List<Object>> candidates;
  private final Deque<Found> queue = new ArrayDeque<>();
  private final Deque<Found> later = new ArrayDeque<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Class<?>, Integer> alike = new HashMap<>();
  private final Map<String, String> trespasses = new LinkedHashMap<>();
  private final Set<Class<?>> visited = new LinkedHashSet<>();
  private int calls;

  /**
   * A walk that has not begun.
   *
   * @param forbidden what must not be reached; it is reported and not visited
   * @param candidates values for the parameters of these types
   */
  Reach(Predicate<Object> forbidden, Map<Class<?>, List<Object>> candidates) {
    this.forbidden = forbidden;
    this.candidates = candidates;
  }

  /** The paths to what is forbidden, one for each class of it. */
  Map<String, String> trespasses() {
    return trespasses;
  }

  /** The classes of the objects that were visited. */
  Set<Class<?>> visited() {
    return visited;
  }

  /** How many methods were called. */
  int calls() {
    return calls;
  }

  /** Starts at an object, too; those that come first are visited first. */
  Reach from(String name, @Nullable Object object) {
    found(object, name);
    return this;
  }

  /** Visits all that can be reached. */
  void walk() {
    while (true) {
      var next = queue.isEmpty() ? later.poll() : queue.poll();
      if (next == null) {
        return;
      }
      visit(next);
    }
  }

  // What speaks JDBC comes first: what is called later may end the transaction.
  private void found(@Nullable Object object, String path) {
    if (object == null) {
      return;
    }
    if (forbidden.test(object)) {
      trespasses.putIfAbsent(object.getClass().getName(), path);
    } else if (object instanceof Object[] array) {
      Stream.of(array).limit(ALIKE).forEach(element -> found(element, path + "[]"));
    } else if (isVisited(object) && isNew(object)) {
      (isOfJdbc(object) ? queue : later).add(new Found(object, path));
    }
  }

  private static boolean isVisited(Object object) {
    var name = object.getClass().getName();
    return !(object instanceof Settings)
        && !(object instanceof Recorder)
        && !name.startsWith("org.jooq.tools.jdbc.Mock")
        && (object instanceof Throwable
            || object instanceof Iterable<?>
            || object instanceof java.util.Iterator<?>
            || object instanceof java.util.Optional<?>
            || VISITED.stream().anyMatch(name::startsWith));
  }

  private boolean isNew(Object object) {
    var most = object instanceof QueryPart ? ALIKE_PARTS : ALIKE;
    return seen.add(object) && alike.merge(object.getClass(), 1, Integer::sum) <= most;
  }

  private void visit(Found found) {
    var object = found.object;
    visited.add(object.getClass());
    for (var field : object.getClass().getFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && isOpen(field.getDeclaringClass())) {
        try {
          found(field.get(object), found.path + "." + field.getName());
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    if (Proxy.isProxyClass(object.getClass())) {
      found(Proxy.getInvocationHandler(object), found.path + ":handler");
    }
    methods(object.getClass()).stream()
        .filter(method -> !(object instanceof QueryPart && makesPart(method)))
        .forEach(method -> call(found, method));
  }

  // Parts lead to parts without an end. Those that run something are reached by the DSL.
  private static boolean makesPart(Method method) {
    return QueryPart.class.isAssignableFrom(method.getReturnType());
  }

  private static List<Method> methods(Class<?> type) {
    var methods = new LinkedHashMap<String, Method>();
    open(type)
        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() <= PARAMETERS)
        .filter(method -> !LEFT_OUT.contains(method.getName()))
        .filter(method -> !method.getName().endsWith("Async"))
        .filter(method -> !method.getName().equals("printStackTrace"))
        .forEach(method -> methods.putIfAbsent(signature(method), method));
    return methods.values().stream().sorted(Comparator.comparing(Reach::signature)).toList();
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.toString(method.getParameterTypes())
        + method.getReturnType().getName();
  }

  /** The public types that a class is of: by these its methods can be called. */
  private static Stream<Class<?>> open(@Nullable Class<?> type) {
    if (type == null || type == Object.class) {
      return Stream.empty();
    }
    return Stream.of(
            isOpen(type) ? Stream.<Class<?>>of(type) : Stream.<Class<?>>empty(),
            open(type.getSuperclass()),
            Stream.of(type.getInterfaces()).flatMap(Reach::open))
        .flatMap(each -> each);
  }

  private static boolean isOpen(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        && (type.getEnclosingClass() == null || isOpen(type.getEnclosingClass()))
        && type.getModule().isExported(type.getPackageName());
  }

  private void call(Found found, Method method) {
    for (var arguments : combinations(found, method.getParameters())) {
      calls++;
      var path = found.path + "." + method.getName() + "(" + inWords(arguments) + ")";
      try {
        found(method.invoke(found.object, arguments.toArray()), path);
      } catch (InvocationTargetException e) {
        found(e.getCause(), path + " threw");
      } catch (IllegalArgumentException e) {
        found(e, path + " threw"); // A lambda casts what it is given.
      } catch (IllegalAccessException e) {
        throw new AssertionError(path, e);
      }
    }
  }

  private static String inWords(List<@Nullable Object> arguments) {
    return String.join(
        ", ",
        arguments.stream()
            .map(each -> each == null ? "null" : each.getClass().getSimpleName())
            .toList());
  }

  /** Each candidate of each parameter once, beside the first ones of the others. */
  private List<List<@Nullable Object>> combinations(Found found, Parameter[] parameters) {
    var first = new ArrayList<@Nullable Object>();
    for (var parameter : parameters) {
      first.add(values(parameter.getType(), found.path).getFirst());
    }
    var all = new ArrayList<List<@Nullable Object>>(List.of(first));
    for (int i = 0; i < parameters.length && isOfJdbc(found.object); i++) {
      for (var value : values(parameters[i].getType(), found.path).stream().skip(1).toList()) {
        var next = new ArrayList<>(first);
        next.set(i, value);
        all.add(next);
      }
    }
    return all;
  }

  private static boolean isOfJdbc(Object object) {
    return object instanceof java.sql.Wrapper || object instanceof java.sql.Array;
  }

  private List<@Nullable Object> values(Class<?> type, String path) {
    var known = candidates.get(type);
    if (known != null) {
      return List.copyOf(known);
    }
    if (type.isArray()) {
      return List.of(Array.newInstance(type.getComponentType(), 0));
    }
    if (type.isInterface() && !type.isSealed()) {
      return List.of(recording(path, type));
    }
    if (type == Object.class) {
      return List.of("1", recording(path, SQLData.class), recording(path, java.sql.Array.class));
    }
    return type.isPrimitive()
        ? List.of(Array.get(Array.newInstance(type, 1), 0))
        : Collections.singletonList(null);
  }

  /** An object of the module's own, which keeps what it is handed. */
  private Object recording(String path, Class<?> type) {
    return Proxy.newProxyInstance(
        Recorder.class.getClassLoader(),
        new Class<?>[] {type, Recorder.class},
        (proxy, method, arguments) -> {
          if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
          }
          for (var argument : arguments == null ? new Object[0] : arguments) {
            found(argument, path + " handed to " + type.getSimpleName() + "." + method.getName());
          }
          return method.getReturnType().isPrimitive() && method.getReturnType() != void.class
              ? Array.get(Array.newInstance(method.getReturnType(), 1), 0)
              : null;
        });
  }

  @SuppressWarnings("ReferenceEquality")
  private static Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "the module's own";
    };
  }

  /** Marks what the walk itself made. */
  interface Recorder {}
}
