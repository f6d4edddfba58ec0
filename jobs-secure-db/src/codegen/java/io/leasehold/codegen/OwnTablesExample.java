package io.leasehold.codegen;

import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Target;

/** The generator of docs/guide/own-tables.md, word for word, so that it compiles. */
final class OwnTablesExample {

  private OwnTablesExample() {}

  static Generator generator() {
    return new Generator()
        .withDatabase(
            new Database()
                .withName("org.jooq.meta.postgres.PostgresDatabase")
                .withInputSchema("acme"))
        .withGenerate(new Generate().withImplicitJoinPathsToOne(false).withRecords(false))
        .withTarget(
            new Target().withPackageName("com.acme.schema").withDirectory("src/generated/java"));
  }
}
