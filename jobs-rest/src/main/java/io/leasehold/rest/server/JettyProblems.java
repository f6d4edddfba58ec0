package io.leasehold.rest.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.rest.http.Trace;
import io.leasehold.rest.problem.Failures;
import io.leasehold.rest.problem.ProblemText;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers requests that Jetty itself refuses, before a route is found, with a problem like all
 * others.
 */
final class JettyProblems implements Request.Handler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    var refusal = Failures.ofStatus(response.getStatus());
    var trace = Trace.in(request.getHeaders().getValuesList("traceparent"));
    var bytes = ProblemText.of(refusal, trace.id()).getBytes(UTF_8);
    var headers = response.getHeaders();
    response.setStatus(refusal.problem().status());
    headers.put(Trace.HEADER, trace.id());
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put(HttpHeader.CACHE_CONTROL, "no-store");
    headers.put(HttpHeader.CONTENT_TYPE, ProblemText.MEDIA_TYPE);
    headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
    ProblemHeaders.of(refusal).forEach(headers::put);
    response.write(true, ByteBuffer.wrap(bytes), callback);
    return true;
  }
}
