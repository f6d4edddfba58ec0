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
 * A statement, its rows or a value in them, without access to the driver. It passes on the {@link
 * AllowedCalls} with {@link PlainValues}, and returns only plain or guarded values.
 *
 * <p>It is valid until its transaction ends, and belongs to the transaction's thread.
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
   * @param requireUsable throws if the transaction has ended or belongs to another thread
   * @param guarded the connection that the statement returns as its own
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

  // With several arguments, the first is the index of a parameter or column. Parameters that set
  // the tenant may precede a statement's own.
  private static void requireIndex(@Nullable Object @Nullable [] args) {
    if (args != null && args.length > 1 && args[0] instanceof Integer index && index < 1) {
      throw new JobsException(
          ErrorCode.STATEMENT_REFUSED, "an index must be at least 1, not %d".formatted(index));
    }
  }

  /**
   * The methods of every object. It equals only itself, and reveals nothing of the guarded object.
   */
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
