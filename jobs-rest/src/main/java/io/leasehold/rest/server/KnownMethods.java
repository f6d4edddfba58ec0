package io.leasehold.rest.server;

import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Replaces an unknown method with a known one that no route accepts. The framework that follows
 * keeps every method name in memory forever, and fails at some.
 */
final class KnownMethods extends Handler.Wrapper {

  static final Set<String> ALL =
      Set.of("GET", "POST", "QUERY", "PUT", "PATCH", "DELETE", "HEAD", "TRACE", "OPTIONS");

  private static final String NOWHERE_TAKEN = "TRACE";

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(
        ALL.contains(request.getMethod()) ? request : new Unknown(request), response, callback);
  }

  /** A request with an unknown method. */
  private static final class Unknown extends Request.Wrapper {

    private Unknown(Request request) {
      super(request);
    }

    @Override
    public String getMethod() {
      return NOWHERE_TAKEN;
    }
  }
}
