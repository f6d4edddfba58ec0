package io.leasehold.rest.server;

import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses malformed paths. Jetty lets some pass, for example after a semicolon, and the framework
 * that follows fails at them.
 */
final class PlainPaths extends Handler.Wrapper {

  private static final Pattern PLAIN =
      Pattern.compile("([A-Za-z0-9/._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2})*+");

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    var path = request.getHttpURI().getPath();
    if (path != null && !PLAIN.matcher(path).matches()) {
      Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
      return true;
    }
    return super.handle(request, response, callback);
  }
}
