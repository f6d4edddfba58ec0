package io.leasehold.testkit;

import java.sql.SQLException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The server and the migrated database that all test classes of a run share. */
record TestRun(TestServer server, Template template) implements AutoCloseable {

  static TestRun of(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(TestRun.class))
        .computeIfAbsent(
            TestRun.class, it -> on(ServerChoice.ofThisProcess().choose()), TestRun.class);
  }

  static TestRun on(TestServer server) {
    try {
      var run = new TestRun(server, Template.on(server));
      System.out.println("tests run on " + server);
      return run;
    } catch (SQLException | RuntimeException e) {
      server.stop().run(); // It is used nowhere else.
      throw new IllegalStateException("cannot use " + server + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      template.close();
    } finally {
      server.stop().run();
    }
  }
}
