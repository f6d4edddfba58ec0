package io.leasehold.migrations;

import java.util.List;

/** How a database stands to this program. A migration is told as in {@code leasehold 003}. */
public sealed interface SchemaStatus {

  /** Everything that this program knows is applied, and nothing else. */
  record Current() implements SchemaStatus {}

  /** The database is behind: {@link Migrator#migrate} would apply these, in this order. */
  record Pending(List<String> migrations) implements SchemaStatus {
    public Pending {
      migrations = List.copyOf(migrations);
    }
  }

  /** These were applied in other words than this program knows them: restore their files. */
  record Changed(List<String> migrations) implements SchemaStatus {
    public Changed {
      migrations = List.copyOf(migrations);
    }
  }

  /** These came after a newer one was applied, and stay out: give them the next numbers. */
  record OutOfOrder(List<String> migrations) implements SchemaStatus {
    public OutOfOrder {
      migrations = List.copyOf(migrations);
    }
  }

  /** A newer program has applied these, which this one does not know. */
  record Ahead(List<String> migrations) implements SchemaStatus {
    public Ahead {
      migrations = List.copyOf(migrations);
    }
  }
}
