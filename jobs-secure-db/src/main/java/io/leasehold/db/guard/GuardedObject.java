package io.leasehold.db.guard;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import org.jspecify.annotations.Nullable;

/**
 * A statement, its rows or a value in them, from which nothing leads to the driver: it passes on
 * the {@link AllowedCalls} with {@link PlainValues}, and what it returns is plain or guarded.
 *
 * <p>It ends with its transaction, and belongs to the transaction's thread.
 */
final class GuardedObject implements InvocationHandler {

  private final Object target;
  private final AllowedCalls calls;
  private final Runnable requireUsable;
  private final Connection guarded;

  private GuardedObject(
      Object target, AllowedCalls calls, Runnable requireUsable, Connection guarded) {
    this.target = target;
    this.calls = calls;
    this.requireUsable = requireUsable;
    this.guarded = guarded;
  }

  /**
   * Guards a statement.
   *
   * @param requireUsable throws where the transaction is over, or another thread's
   * @param guarded the connection that the statement leads back to
   */
  static PreparedStatement statement(
      PreparedStatement statement, Runnable requireUsable, Connection guarded) {
    return (PreparedStatement)
        new GuardedObject(statement, AllowedCalls.STATEMENT, requireUsable, guarded).proxy();
  }

  private Object proxy() {
    return Proxy.newProxyInstance(
        GuardedObject.class.getClassLoader(), new Class<?>[] {calls.type()}, this);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(proxy, method, args);
    }
    if (!calls.include(method) || !PlainValues.areArguments(args)) {
      throw refusal(method);
    }
    requireIndex(args);
    if (!AllowedCalls.isEnd(method)) {
      requireUsable.run();
    }
    try {
      return guarded(method, method.invoke(target, args));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object guarded(Method method, @Nullable Object value) {
    if (value == null || PlainValues.isResult(value)) {
      return value;
    }
    if (value instanceof Connection) {
      return guarded;
    }
    return AllowedCalls.of(value)
        .map(allowed -> new GuardedObject(value, allowed, requireUsable, guarded).proxy())
        .orElseThrow(() -> refusal(method));
  }

  // With several arguments, the first is the place of a parameter or a column. Ahead of a
  // statement's own parameters may be those that set the tenant.
  private static void requireIndex(@Nullable Object @Nullable [] args) {
    if (args != null && args.length > 1 && args[0] instanceof Integer index && index < 1) {
      throw new JobsException(
          ErrorCode.STATEMENT_REFUSED, "an index must be at least 1, not %d".formatted(index));
    }
  }

  /** What each object has: it is equal to itself only, and tells nothing of what it guards. */
  @SuppressWarnings("ReferenceEquality")
  static Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] args) {
    return switch (method.getName()) {
      case "equals" -> args != null && proxy == args[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "a guarded object of the transaction";
      default -> throw refusal(method);
    };
  }

  static JobsException refusal(Method method) {
    return new JobsException(
        ErrorCode.STATEMENT_REFUSED,
        "%s.%s is refused: only jOOQ's own calls, with plain values, are passed on"
            .formatted(method.getDeclaringClass().getSimpleName(), method.getName()));
  }
}
