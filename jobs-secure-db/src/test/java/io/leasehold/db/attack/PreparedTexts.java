package io.leasehold.db.attack;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Hears every text that is prepared on the connections of a pool. For one thread. */
final class PreparedTexts {

  private final List<String> texts = new ArrayList<>();

  /** What was prepared since this was asked before. */
  List<String> take() {
    var taken = List.copyOf(texts);
    texts.clear();
    return taken;
  }

  DataSource before(DataSource pool) {
    return proxy(DataSource.class, pool);
  }

  private <T> T proxy(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, args) -> {
              try {
                if (method.getName().startsWith("prepare") && args != null) {
                  texts.add((String) args[0]);
                }
                var result = method.invoke(real, args);
                return method.getName().equals("getConnection")
                    ? proxy(Connection.class, (Connection) result)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
