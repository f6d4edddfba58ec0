package io.leasehold.rest.demo;

import static io.leasehold.rest.demo.Booking.BOOKING;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionalJobHandler;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import jakarta.inject.Inject;

/** Books an order exactly once: the row and the job's end commit together. */
final class BookOrder implements TransactionalJobHandler<BookOrder.Order, BookOrder.Booked> {

  static final JobType<Order, Booked> TYPE =
      JobType.restartable(
              "gts.x.core.jobs.handler.v1~leasehold.demo.orders.book.v1", Order.class, Booked.class)
          .queue("orders")
          .retry(RetryPolicy.exponential(5));

  record Order(String customer, int amount) {}

  record Booked(String customer, int bookings) {}

  @Inject
  BookOrder() {}

  @Override
  public Booked run(ScopedTransaction tx, JobContext job, Order order) {
    tx.insert(BOOKING)
        .set(BOOKING.jobId, job.id().value())
        .set(BOOKING.customer, order.customer())
        .set(BOOKING.amount, order.amount())
        .execute();
    var bookings =
        tx.dsl()
            .selectCount()
            .from(BOOKING)
            .where(BOOKING.customer.eq(order.customer()))
            .fetchSingle()
            .value1();
    return new Booked(order.customer(), bookings);
  }
}
