package io.leasehold.rest.server;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinException;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestServer;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.problem.Failures;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the routes with Javalin on Jetty, each request on its own virtual thread. */
public final class JettyServer implements RestServer {

  private static final Logger log = LoggerFactory.getLogger(JettyServer.class);

  private static final int BUFFER = 8 << 10;
  private static final int BACKLOG = 1_024;
  private static final int SELECTORS = 2;

  private final RestConfig config;
  private final List<Route> routes;
  private final Answering answering;
  private final SlowRequests slow;
  private final Looks looks;
  private final AtomicReference<@Nullable Javalin> running = new AtomicReference<>();

  @Inject
  JettyServer(
      RestConfig config, List<Route> routes, Answering answering, SlowRequests slow, Looks looks) {
    this.config = config;
    this.routes = List.copyOf(routes);
    this.answering = answering;
    this.slow = slow;
    this.looks = looks;
  }

  @Override
  public int start() {
    var javalin = Javalin.create(this::configure);
    if (!running.compareAndSet(null, javalin)) {
      throw new IllegalStateException("the server was started before");
    }
    try {
      javalin.start();
    } catch (JavalinException e) {
      throw new IllegalStateException(
          "cannot listen on %s:%d: %s".formatted(config.host(), config.port(), reasonOf(e)), e);
    }
    looks.start();
    return javalin.port();
  }

  /** The system's message. Javalin reports every failure as a port in use. */
  private static String reasonOf(Throwable failure) {
    var cause = failure;
    for (var next = cause.getCause(); next != null; next = next.getCause()) {
      cause = next;
    }
    return cause instanceof UnresolvedAddressException
        ? "there is no such host"
        : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
  }

  @Override
  public void stop(Duration grace) {
    var stopped = running.get();
    if (stopped != null && stopped.jettyServer().server().isRunning()) {
      looks.stopping();
      stopped.jettyServer().server().setStopTimeout(grace.toMillis());
      try {
        stopped.stop();
      } catch (JavalinException e) {
        log.warn("requests that were not answered in time were cut off", e);
      }
      looks.stop();
    }
  }

  private void configure(JavalinConfig javalin) {
    javalin.startup.showJavalinBanner = false;
    javalin.startup.showOldJavalinVersionWarning = false;
    javalin.startup.startupWatcherEnabled = false;
    javalin.concurrency.useVirtualThreads = true;
    javalin.http.compressionStrategy = CompressionStrategy.NONE;
    javalin.http.defaultContentType = "application/octet-stream";
    javalin.router.ignoreTrailingSlashes = false;
    javalin.jetty.modifyServer(this::configure);
    javalin.jetty.modifyServletContextHandler(
        context -> context.setErrorHandler(new JettyProblems()));
    javalin.jetty.addConnector(this::connector);
    addRoutes(javalin);
  }

  private void configure(Server server) {
    server.setErrorHandler(new JettyProblems());
    server.insertHandler(new KnownMethods());
    server.insertHandler(new PlainPaths());
    server.insertHandler(new GracefulHandler());
  }

  private Connector connector(Server server, HttpConfiguration http) {
    http.setUriCompliance(UriCompliance.DEFAULT);
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(config.limits().headerMost());
    http.setOutputBufferSize(BUFFER);
    http.setInputBufferSize(BUFFER);
    var connector = new ServerConnector(server, 1, SELECTORS, new HttpConnectionFactory(http));
    connector.setHost(config.host());
    connector.setPort(config.port());
    connector.setAcceptQueueSize(BACKLOG);
    // The timeout of a connection without a response. Longer than a stream's client may be slow, so
    // that the stream's own limit takes effect first.
    connector.setIdleTimeout(config.limits().slowAfter().multipliedBy(2).toMillis());
    connector.addBean(slow);
    return connector;
  }

  /** Registers every method for each path, if only to answer that it is not allowed. */
  private void addRoutes(JavalinConfig javalin) {
    routes.stream()
        .collect(Collectors.groupingBy(Route::path))
        .forEach((path, routesOfPath) -> addPath(javalin, path, routesOfPath));
    javalin.routes.exception(
        Exception.class, (e, context) -> answering.refuse(e, context.req(), context.res()));
    javalin.routes.exception(
        HttpResponseException.class,
        (e, context) ->
            answering.refuse(Failures.ofStatus(e.getStatus()), context.req(), context.res()));
  }

  private void addPath(JavalinConfig javalin, String path, List<Route> routesOfPath) {
    var byMethod = new TreeMap<String, Route>();
    routesOfPath.forEach(route -> byMethod.put(route.method(), route));
    // Every resource that supports GET also supports HEAD.
    Optional.ofNullable(byMethod.get("GET")).ifPresent(route -> byMethod.put("HEAD", route));
    var allow = String.join(", ", byMethod.keySet());
    for (var method : KnownMethods.ALL) {
      var route = byMethod.get(method);
      javalin.routes.addHttpHandler(
          HandlerType.findOrCreate(method),
          path,
          context -> {
            if (route == null) {
              answering.refuse(RequestRefusal.allowing(allow), context.req(), context.res());
            } else {
              answering.answer(route, context.req(), context.res(), context.pathParamMap());
            }
          });
    }
  }
}
