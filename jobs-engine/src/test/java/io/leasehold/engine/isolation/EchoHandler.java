package io.leasehold.engine.isolation;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;

/** A module with one handler of texts. */
final class EchoHandler extends AbstractModule {

  static final JobType<String, String> ECHO =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~acme.tests.isolation.echo.v1", String.class, String.class)
          .queue("echo");

  private final JobHandler<String, String> handler;

  EchoHandler(JobHandler<String, String> handler) {
    this.handler = handler;
  }

  @Override
  protected void configure() {
    handlerBinder(binder()).handle(ECHO).with(handler);
  }
}
