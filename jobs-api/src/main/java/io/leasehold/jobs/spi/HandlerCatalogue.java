package io.leasehold.jobs.spi;

import io.leasehold.jobs.SecurityContext;
import java.util.List;

/**
 * Lists the handlers of the whole platform, which are the same for all tenants. Safe to share
 * between threads.
 */
public interface HandlerCatalogue {

  /** Lists the handlers that any worker had in the last month, ordered by id. */
  List<KnownHandler> handlers(SecurityContext caller);
}
