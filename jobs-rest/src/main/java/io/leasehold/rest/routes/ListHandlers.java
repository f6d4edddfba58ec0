package io.leasehold.rest.routes;

import io.leasehold.jobs.spi.HandlerCatalogue;
import io.leasehold.jobs.spi.KnownHandler;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;

/** Lists the handlers that workers registered, the same for all tenants. */
public final class ListHandlers implements Resource {

  private static final int OK = 200;

  private final HandlerCatalogue handlers;

  @Inject
  ListHandlers(HandlerCatalogue handlers) {
    this.handlers = handlers;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    exchange.json(
        OK, new Page(handlers.handlers(exchange.caller()).stream().map(View::of).toList()));
  }

  private record Page(List<View> handlers) {}

  private record View(String handlerId, String queue, boolean live) {

    static View of(KnownHandler handler) {
      return new View(handler.id().value(), handler.queue(), handler.isLive());
    }
  }
}
