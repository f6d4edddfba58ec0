package io.leasehold.plans;

import java.io.IOException;

/** What is in a database: its rows, columns, indexes, constraints and sequences, in one order. */
final class Dump {

  private Dump() {}

  static String of(PostgresServer server) throws IOException, InterruptedException {
    var dump = new StringBuilder();
    for (var table :
        server
            .ask(
                """
                SELECT relname FROM pg_class
                WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1
                """)
            .lines()
            .toList()) {
      server
          .ask("SELECT * FROM %s ORDER BY 1, 2".formatted(table))
          .lines()
          .forEach(row -> dump.append(table).append(' ').append(row).append('\n'));
    }
    dump.append(
        server.ask(
            """
            SELECT table_name, ordinal_position, column_name, data_type, column_default, is_nullable
            FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2
            """));
    dump.append('\n')
        .append(
            server.ask("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"));
    dump.append('\n')
        .append(
            server.ask(
                """
                SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
                WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
                """));
    dump.append('\n')
        .append(
            server.ask(
                """
                SELECT sequencename, last_value FROM pg_sequences
                WHERE schemaname = 'public' ORDER BY 1
                """));
    return dump.toString();
  }
}
