package io.leasehold.rest.server;

import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Passes a method that nobody knows on as one that is known and nowhere taken. The framework behind
 * it keeps every name that it is given for ever, and fails at some.
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

  /** A request whose method is not known. */
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
