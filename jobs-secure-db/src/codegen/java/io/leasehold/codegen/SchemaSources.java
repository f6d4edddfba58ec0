package io.leasehold.codegen;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.ForcedType;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Logging;
import org.jooq.meta.jaxb.Target;

/**
 * The Java classes of one database schema.
 *
 * @param schema the schema's name
 * @param packageName the package of the classes
 * @param folder the source folder, which is emptied of what is no longer generated
 * @param types columns and parameters that get a type of their own
 */
record SchemaSources(String schema, String packageName, Path folder, List<ForcedType> types) {

  /** Flyway's own table, and the partitions of a day, of which each database has others. */
  private static final String NO_PROGRAM = "flyway_schema_history|.*_[0-9]{8}";

  /** What migrations and the rules of isolation use among themselves. */
  private static final String NO_QUERY =
      "examined_.*|is_held|lanes|record_.*|lock_.*leases|mirror_queued|orphan_leases|lost_error|finding.*|job_default|outcome_default|withdraw|take_keys|take_or_reuse_keys|is_reusable|note|why_broken|look_at_waiting|follow_.*|hold_unfinished|queue_anew|new_id|first_id_of|protect.*|share|replace_policy|revoke_.*|run_as_engine";

  static SchemaSources platform(Path folder) {
    return new SchemaSources(
        "leasehold", "io.leasehold.db.schema", folder, List.of(tenantId(), jobId()));
  }

  /** Tables as a business module has them, for tests: its tenants are plain UUIDs. */
  static SchemaSources sample(Path folder) {
    return new SchemaSources("acme", "io.leasehold.db.acme", folder, List.of());
  }

  /** So that a tenant cannot be compared with, or passed as, any other id. */
  private static ForcedType tenantId() {
    return new ForcedType()
        .withUserType("io.leasehold.jobs.TenantId")
        .withConverter("io.leasehold.db.schema.TenantIdConverter")
        .withIncludeExpression(".*\\.tenant\\w*")
        .withIncludeTypes("uuid")
        .withIgnoreUnused(true);
  }

  /** Every other id but a worker's. */
  private static ForcedType jobId() {
    return new ForcedType()
        .withUserType("io.leasehold.jobs.JobId")
        .withConverter("io.leasehold.db.schema.JobIdConverter")
        .withIncludeExpression(".*\\.(id|job_id|on_id|floor)")
        .withExcludeExpression(".*\\.worker\\.id")
        .withIncludeTypes("uuid")
        .withIgnoreUnused(true);
  }

  void generate(Connection connection) throws Exception {
    var tool = new GenerationTool();
    tool.setConnection(connection);
    tool.run(new Configuration().withLogging(Logging.WARN).withGenerator(generator()));
  }

  private Generator generator() {
    return new Generator()
        .withDatabase(database())
        .withGenerate(onlyWhatQueriesName())
        .withTarget(
            new Target()
                .withPackageName(packageName)
                .withDirectory(folder.toString())
                .withClean(true));
  }

  private Database database() {
    return new Database()
        .withName("org.jooq.meta.postgres.PostgresDatabase")
        .withInputSchema(schema)
        .withExcludes(NO_PROGRAM + "|" + NO_QUERY)
        .withForcedTypes(types)
        .withIncludeTriggerRoutines(false)
        // The next two differ between versions of PostgreSQL, and no query names them.
        .withIncludeCheckConstraints(false)
        .withIncludeIndexes(false);
  }

  /** Tables, keys and routines. Rows are read into records of the query's own package. */
  private static Generate onlyWhatQueriesName() {
    return new Generate()
        .withRecords(false)
        .withImplicitJoinPathsToOne(false)
        .withImplicitJoinPathsToMany(false)
        .withImplicitJoinPathsManyToMany(false)
        .withGlobalCatalogReferences(false)
        .withDefaultCatalog(false)
        .withGeneratedAnnotation(false)
        .withJooqVersionReference(false)
        .withWhereMethodOverrides(false)
        .withRenameMethodOverrides(false)
        .withSources(false)
        .withSourcesOnViews(false)
        .withNewline("\\n");
  }
}
