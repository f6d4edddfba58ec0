package io.leasehold.rest.demo;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;

/** Registers the demonstration's handlers, declares its table, and binds {@link DemoJobs}. */
public final class DemoModule extends AbstractModule {

  /** The schema of its table. */
  public static final String SCHEMA = Booking.SCHEMA;

  /** The location of its migrations. */
  public static final String MIGRATIONS = "classpath:io/leasehold/rest/demo/sql";

  @Override
  protected void configure() {
    tenantTables(binder()).scoped(Booking.BOOKING);
    var handlers = handlerBinder(binder());
    handlers.handle(MonthlyReport.TYPE).with(MonthlyReport.class);
    handlers.handle(FlakyImport.TYPE).with(FlakyImport.class);
    handlers.handle(SlowExport.TYPE).with(SlowExport.class);
    handlers.handle(BookOrder.TYPE).inTransaction(BookOrder.class);
    bind(DemoJobs.class);
  }
}
