package io.leasehold.testkit;

import java.sql.SQLException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What all test classes of a run share: one server, and the migrated database on it. */
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
      server.stop().run(); // Nobody else knows of it.
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
