package io.leasehold.jobs;

import java.util.List;

/** The handlers of the whole platform: the same for all tenants. Safe to share between threads. */
public interface HandlerCatalogue {

  /** Those that some worker had in the last month, in the order of their ids. */
  List<KnownHandler> handlers(SecurityContext caller);
}
