package io.leasehold.engine.service.submit;

import static io.leasehold.db.TenantTableBinder.tenantTables;
import static io.leasehold.engine.service.submit.Purchase.PURCHASE;

import com.google.inject.AbstractModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.RunningEngine;
import io.leasehold.engine.service.query.OpenService;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A process that buys until it is killed, and tells which of the server's processes serve it. */
final class ShopperMain {

  private static final int THREADS = 3;

  private ShopperMain() {}

  /** The module whose table the purchases are. */
  static final class Shop extends AbstractModule {
    @Override
    protected void configure() {
      tenantTables(binder()).scoped(PURCHASE);
    }
  }

  /**
   * Buys.
   *
   * @param args the database's JDBC URL, a name, a seed
   */
  public static void main(String... args) throws IOException {
    var service =
        OpenService.on(RunningEngine.at(args[0]).build(), EngineConfig.defaults(), new Shop());
    Set<Integer> backends = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < THREADS; i++) {
      var shopper =
          new Shopper(
              service.jobs(),
              service.transactions(),
              "%s, thread %d".formatted(args[1], i),
              new Random(Long.parseLong(args[2]) + i),
              backend -> {
                if (backends.add(backend)) {
                  System.out.println(backend);
                }
              });
      Thread.ofPlatform().daemon().start(() -> buy(shopper));
    }
    while (System.in.read() >= 0) {
      Thread.onSpinWait(); // Until it is killed, or left alone by the test.
    }
  }

  private static void buy(Shopper shopper) {
    while (true) {
      shopper.buy();
    }
  }
}
