package io.leasehold.db.policy;

import static io.leasehold.db.policy.Attempt.forbidden;
import static io.leasehold.db.policy.Attempt.fruitless;

import io.leasehold.db.policy.Attempt.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All that a tenant could try with one relation to reach another tenant's rows. */
record TableAttempts(Relation relation, String own, String foreign) {

  private static final int NEW_ROW = 5;

  List<Attempt> all() {
    var attempts = new ArrayList<Attempt>();
    Stream.of(reads(), definitions(), copies()).forEach(attempts::addAll);
    if (relation.isSequence()) {
      attempts.add(forbidden("nextval", "SELECT nextval('%s')".formatted(relation)));
      attempts.add(forbidden("setval", "SELECT setval('%s', 1)".formatted(relation)));
      return attempts;
    }
    Stream.of(updates(), deletes(), inserts(), merges()).forEach(attempts::addAll);
    return attempts;
  }

  private List<Attempt> reads() {
    var reads =
        new ArrayList<>(
            List.of(
                Attempt.of("select", "SELECT * FROM " + relation),
                Attempt.of("select row", "SELECT t::text FROM %s t".formatted(relation)),
                Attempt.of("table", "TABLE " + relation),
                Attempt.of(
                    "recursive",
                    "WITH RECURSIVE r AS (SELECT * FROM %s) TABLE r".formatted(relation)),
                Attempt.of(
                    "lateral",
                    "SELECT l.* FROM %1$s a, LATERAL (SELECT * FROM %1$s) l".formatted(relation)),
                Attempt.of(
                    "row security off",
                    "SET LOCAL row_security = off; SELECT * FROM " + relation)));
    for (var lock : List.of("UPDATE", "NO KEY UPDATE", "SHARE", "KEY SHARE")) {
      reads.add(Attempt.of("for " + lock, "SELECT * FROM %s FOR %s".formatted(relation, lock)));
    }
    if (relation.hasTenant()) {
      reads.add(
          Attempt.of(
              "select foreign", "SELECT * FROM %s WHERE %s".formatted(relation, isForeign())));
      // What is evaluated before the policy could tell of the rows that the policy hides.
      reads.add(
          Attempt.of(
              "error by row",
              "SELECT 1 / (CASE WHEN %s THEN 0 ELSE 1 END) FROM %s"
                  .formatted(isForeign(), relation)));
      reads.add(
          Attempt.of(
              "error in condition",
              "SELECT 1 FROM %s WHERE 1 / (CASE WHEN %s THEN 0 ELSE 1 END) = 1"
                  .formatted(relation, isForeign())));
    }
    return reads;
  }

  private List<Attempt> copies() {
    return List.of(
        new Attempt("copy to", "COPY %s TO STDOUT".formatted(relation), Kind.COPY_OUT),
        new Attempt(
            "copy query", "COPY (SELECT * FROM %s) TO STDOUT".formatted(relation), Kind.COPY_OUT),
        new Attempt("copy from", "COPY %s FROM STDIN".formatted(relation), Kind.COPY_IN),
        forbidden("copy to file", "COPY %s TO '/dev/null'".formatted(relation)),
        forbidden("copy to program", "COPY %s TO PROGRAM 'true'".formatted(relation)),
        forbidden("copy from program", "COPY %s FROM PROGRAM 'true'".formatted(relation)));
  }

  private List<Attempt> updates() {
    var column = relation.changeable();
    var updates =
        new ArrayList<>(
            List.of(
                Attempt.of("update", "UPDATE %s SET %s = %s".formatted(relation, column, column)),
                Attempt.of(
                    "update returning",
                    "UPDATE %s t SET %s = %s RETURNING t::text"
                        .formatted(relation, column, column))));
    if (relation.hasTenant()) {
      updates.add(
          fruitless(
              "update foreign",
              "UPDATE %s SET %s = %s WHERE %s".formatted(relation, column, column, isForeign())));
      updates.add(
          fruitless(
              "take over",
              "UPDATE %s SET tenant_id = '%s' WHERE %s".formatted(relation, own, isForeign())));
      updates.add(
          fruitless("give away", "UPDATE %s SET tenant_id = '%s'".formatted(relation, foreign)));
      updates.add(
          fruitless(
              "update from itself",
              "UPDATE %1$s t SET %2$s = o.%2$s FROM %1$s o WHERE t.tenant_id <> o.tenant_id"
                  .formatted(relation, column)));
    }
    return updates;
  }

  private List<Attempt> deletes() {
    var deletes = new ArrayList<>(List.of(Attempt.of("delete", "DELETE FROM " + relation)));
    if (relation.hasTenant()) {
      deletes.add(
          fruitless("delete foreign", "DELETE FROM %s WHERE %s".formatted(relation, isForeign())));
      deletes.add(
          fruitless(
              "delete returning",
              "DELETE FROM %s t WHERE %s RETURNING t::text".formatted(relation, isForeign())));
      deletes.add(
          fruitless(
              "delete using itself",
              "DELETE FROM %1$s t USING %1$s o WHERE t.tenant_id <> o.tenant_id"
                  .formatted(relation)));
    }
    return deletes;
  }

  private List<Attempt> inserts() {
    if (!relation.hasTenant()) {
      return List.of();
    }
    var foreignRow = relation.insert(foreign, foreign, NEW_ROW);
    var inserts = new ArrayList<Attempt>();
    inserts.add(forbidden("insert foreign", foreignRow));
    inserts.add(forbidden("insert foreign returning", foreignRow + " RETURNING tenant_id"));
    if (relation.isTable()) {
      inserts.add(forbidden("upsert foreign", foreignRow + " ON CONFLICT DO NOTHING"));
      if (!relation.primaryKey().isEmpty()) {
        inserts.add(
            forbidden(
                "upsert over foreign",
                "%s ON CONFLICT (%s) DO UPDATE SET %s = excluded.%s"
                    .formatted(
                        foreignRow,
                        String.join(", ", relation.primaryKey()),
                        relation.changeable(),
                        relation.changeable())));
      }
    }
    for (var reference : relation.references()) {
      inserts.add(
          forbidden(
              "refer to a foreign " + reference.to(), relation.insert(own, foreign, NEW_ROW)));
    }
    return inserts;
  }

  private List<Attempt> merges() {
    if (!relation.isTable() || !relation.hasTenant()) {
      return List.of();
    }
    var merge = "MERGE INTO %s t USING (VALUES (1)) s ON t.%s WHEN MATCHED THEN %s";
    var column = relation.changeable();
    return List.of(
        fruitless("merge delete", merge.formatted(relation, isForeign(), "DELETE")),
        fruitless(
            "merge update",
            merge.formatted(relation, isForeign(), "UPDATE SET %1$s = t.%1$s".formatted(column))),
        forbidden(
            "merge insert",
            "MERGE INTO %s t USING (VALUES (1)) s ON false WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)"
                .formatted(
                    relation,
                    Relation.names(relation.written()),
                    relation.values(foreign, foreign, NEW_ROW))));
  }

  private List<Attempt> definitions() {
    if (relation.isSequence()) {
      return List.of(forbidden("alter", "ALTER SEQUENCE %s RESTART".formatted(relation)));
    }
    var definitions = new ArrayList<Attempt>();
    definitions.add(new Attempt("lock", "LOCK TABLE " + relation, Kind.LOCK));
    definitions.add(
        forbidden(
            "comment",
            "COMMENT ON %s %s IS 'mine'"
                .formatted(relation.isTable() ? "TABLE" : "VIEW", relation)));
    definitions.add(
        forbidden("grant", "ALTER TABLE %s OWNER TO leasehold_tenant".formatted(relation)));
    definitions.add(
        forbidden(
            "rule", "CREATE RULE r AS ON DELETE TO %s DO INSTEAD NOTHING".formatted(relation)));
    if (relation.isTable()) {
      definitions.addAll(
          List.of(
              forbidden("truncate", "TRUNCATE " + relation),
              forbidden("truncate cascade", "TRUNCATE %s CASCADE".formatted(relation)),
              forbidden("disable", "ALTER TABLE %s DISABLE ROW LEVEL SECURITY".formatted(relation)),
              forbidden(
                  "no force", "ALTER TABLE %s NO FORCE ROW LEVEL SECURITY".formatted(relation)),
              forbidden("policy", "CREATE POLICY mine ON %s USING (true)".formatted(relation)),
              forbidden(
                  "index", "CREATE INDEX ON %s (%s)".formatted(relation, relation.changeable())),
              forbidden("drop", "DROP TABLE " + relation),
              forbidden(
                  "trigger",
                  "CREATE TRIGGER t BEFORE UPDATE ON %s EXECUTE FUNCTION suppress_redundant_updates_trigger()"
                      .formatted(relation)),
              forbidden("attach", "CREATE TABLE acme.heir () INHERITS (%s)".formatted(relation)),
              forbidden("like", "CREATE TEMPORARY TABLE mine (LIKE %s)".formatted(relation)),
              forbidden(
                  "references",
                  "CREATE TABLE acme.prober (tenant_id uuid REFERENCES %s)".formatted(relation))));
    }
    return definitions;
  }

  private String isForeign() {
    return "tenant_id = '%s'".formatted(foreign);
  }
}
