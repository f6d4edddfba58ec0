package io.leasehold.rest.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the stack trace of an exception, with each of its messages on one line. */
public final class StackTrace extends ThrowableProxyConverter {

  @Override
  protected String throwableProxyToString(IThrowableProxy failure) {
    return super.throwableProxyToString(new Escaped(failure));
  }

  /** An exception and its causes, with messages of one line. */
  private record Escaped(IThrowableProxy failure) implements IThrowableProxy {

    private static @Nullable Escaped of(@Nullable IThrowableProxy failure) {
      return failure == null ? null : new Escaped(failure);
    }

    private static @Nullable String escaped(@Nullable String text) {
      return text == null ? null : EscapedControls.of(text);
    }

    @Override
    public @Nullable String getMessage() {
      return escaped(failure.getMessage());
    }

    @Override
    public @Nullable String getOverridingMessage() {
      return escaped(failure.getOverridingMessage());
    }

    @Override
    public String getClassName() {
      return failure.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
      return failure.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
      return failure.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
      return of(failure.getCause());
    }

    @Override
    public IThrowableProxy[] getSuppressed() {
      return Stream.of(failure.getSuppressed()).map(Escaped::new).toArray(IThrowableProxy[]::new);
    }

    @Override
    public boolean isCyclic() {
      return failure.isCyclic();
    }
  }
}
