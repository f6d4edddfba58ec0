package io.leasehold.migrations;

import java.util.List;

/**
 * The state of a database relative to this program. Migrations are named as in {@code leasehold
 * 003}.
 */
public sealed interface SchemaStatus {

  /** Everything that this program knows is applied, and nothing else. */
  record Current() implements SchemaStatus {}

  /**
   * The database is behind: {@link Migrator#migrate} would apply these migrations, in this order.
   */
  record Pending(List<String> migrations) implements SchemaStatus {
    public Pending {
      migrations = List.copyOf(migrations);
    }
  }

  /**
   * These migrations were applied with a text that differs from this program's: restore their
   * files.
   */
  record Changed(List<String> migrations) implements SchemaStatus {
    public Changed {
      migrations = List.copyOf(migrations);
    }
  }

  /**
   * These migrations appeared after a newer one was applied, and are not applied: give them the
   * next numbers.
   */
  record OutOfOrder(List<String> migrations) implements SchemaStatus {
    public OutOfOrder {
      migrations = List.copyOf(migrations);
    }
  }

  /** A newer program has applied these migrations, which this program does not know. */
  record Ahead(List<String> migrations) implements SchemaStatus {
    public Ahead {
      migrations = List.copyOf(migrations);
    }
  }
}
