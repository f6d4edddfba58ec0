package io.leasehold.rest.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.rest.RestConfig;
import io.leasehold.rest.http.Access;
import io.leasehold.rest.http.Admitted;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.http.Trace;
import io.leasehold.rest.parse.Accepts;
import io.leasehold.rest.parse.Query;
import io.leasehold.rest.problem.Failures;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.ProblemText;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Answers a request: identifies the caller, checks the access, and calls the route's resource. */
final class Answering {

  private static final Logger log = LoggerFactory.getLogger(Answering.class);

  private final Admission admission;
  private final RequestBody body;
  private final HttpMeters meters;
  private final TellFailures failures;
  private final String adminRole;

  @Inject
  Answering(
      Admission admission,
      RequestBody body,
      HttpMeters meters,
      TellFailures failures,
      RestConfig config) {
    this.admission = admission;
    this.body = body;
    this.meters = meters;
    this.failures = failures;
    this.adminRole = config.adminRole();
  }

  /** Answers with the route's resource or with a problem. Throws nothing. */
  void answer(
      Route route,
      HttpServletRequest request,
      HttpServletResponse response,
      Map<String, String> named) {
    var begun = System.nanoTime();
    var trace = begin(request, response);
    try (var _ = MDC.putCloseable("trace", trace.id())) {
      answerOrFail(route, request, response, named, trace);
    }
    log.debug("{} answered with {}, trace {}", route, response.getStatus(), trace.id());
    meters.answered(route, response.getStatus(), System.nanoTime() - begun);
  }

  private void answerOrFail(
      Route route,
      HttpServletRequest request,
      HttpServletResponse response,
      Map<String, String> named,
      Trace trace) {
    try {
      // A waiting request, such as a stream, is not idle.
      ServletContextRequest.getServletContextRequest(request).addIdleTimeoutListener(it -> false);
      answer(route, request, response, named, trace);
    } catch (IOException e) {
      log.debug("a client went away", e);
      Exchange.cut(request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Exchange.cut(request);
    } catch (Throwable e) {
      failed(e, request, response, trace);
    }
  }

  /** Answers a request that matches no route, or failed before it reached one. */
  void refuse(Throwable failure, HttpServletRequest request, HttpServletResponse response) {
    failed(failure, request, response, begin(request, response));
  }

  private static Trace begin(HttpServletRequest request, HttpServletResponse response) {
    var trace = Trace.in(all(request, "traceparent"));
    response.setHeader(Trace.HEADER, trace.id());
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    return trace;
  }

  private void answer(
      Route route,
      HttpServletRequest request,
      HttpServletResponse response,
      Map<String, String> named,
      Trace trace)
      throws IOException, InterruptedException {
    if (route.access() == Access.OPEN) {
      route.resource().answer(letIn(route, request, response, Optional.empty(), named));
      return;
    }
    try (var admitted = admission.admit(all(request, "Authorization"), trace.id())) {
      route.resource().answer(letIn(route, request, response, Optional.of(admitted), named));
    }
  }

  private Exchange letIn(
      Route route,
      HttpServletRequest request,
      HttpServletResponse response,
      Optional<Admitted> admitted,
      Map<String, String> named) {
    if (route.access() == Access.ADMIN
        && admitted
            .filter(admission -> admission.who().caller().roles().contains(adminRole))
            .isEmpty()) {
      throw RequestRefusal.of(Problem.ROLE_MISSING);
    }
    var query = Query.of(request.getQueryString(), route.parameters());
    var mediaType = Accepts.choose(all(request, "Accept"), route.produces());
    body.check(route, request);
    return new Exchange(request, response, admitted, query, mediaType, named);
  }

  private static List<String> all(HttpServletRequest request, String header) {
    return Collections.list(request.getHeaders(header));
  }

  private void failed(
      Throwable failure, HttpServletRequest request, HttpServletResponse response, Trace trace) {
    var refusal =
        failure instanceof HttpException http
            ? Failures.ofStatus(http.getCode())
            : Failures.judge(failure);
    failures.tell(refusal, failure);
    if (response.isCommitted()) {
      Exchange.cut(request);
      return;
    }
    try {
      send(refusal, request, response, trace);
    } catch (IOException e) {
      log.debug("a client went away", e);
      Exchange.cut(request);
    }
  }

  private static void send(
      RequestRefusal refusal, HttpServletRequest request, HttpServletResponse response, Trace trace)
      throws IOException {
    var bytes = ProblemText.of(refusal, trace.id()).getBytes(UTF_8);
    response.resetBuffer();
    response.setStatus(refusal.problem().status());
    response.setContentType(ProblemText.MEDIA_TYPE);
    response.setContentLength(bytes.length);
    ProblemHeaders.of(refusal).forEach(response::setHeader);
    if (!request.getMethod().equals("HEAD")) {
      response.getOutputStream().write(bytes);
    }
  }
}
