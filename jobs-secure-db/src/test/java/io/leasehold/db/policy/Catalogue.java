package io.leasehold.db.policy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Everything in the schemas that are not the system's own, seen by an administrator. */
record Catalogue(Connection administrator) {

  private static final String OF_MODULES =
      "nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'";

  /** A function, with arguments made for its parameters. */
  record Routine(String name, String call) {}

  List<Relation> relations() throws SQLException {
    var relations = new ArrayList<Relation>();
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT pg_class.oid, pg_class.oid::regclass::text, relkind::text, relispartition,
                  coalesce((SELECT array_agg(attname ORDER BY place) FROM pg_constraint,
                    unnest(conkey) WITH ORDINALITY key (attnum, place)
                    JOIN pg_attribute USING (attnum)
                    WHERE contype = 'p' AND conrelid = pg_class.oid AND attrelid = conrelid), '{}')
                FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND %s
                ORDER BY nspname, relname
                """
                    .formatted(OF_MODULES))) {
      while (rows.next()) {
        var oid = rows.getLong(1);
        relations.add(
            new Relation(
                rows.getString(2),
                rows.getString(3),
                rows.getBoolean(4),
                columns(oid),
                strings(rows, 5),
                references(oid)));
      }
    }
    return relations;
  }

  private List<Column> columns(long oid) throws SQLException {
    var columns = new ArrayList<Column>();
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT quote_ident(attname), format_type(atttypid, atttypmod),
                  CASE WHEN typtype = 'e' THEN 'enum' WHEN typcategory = 'A' THEN 'array'
                    ELSE typname END,
                  attgenerated <> '', attidentity <> ''
                FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
                WHERE attrelid = %d AND attnum > 0 AND NOT attisdropped ORDER BY attnum
                """
                    .formatted(oid))) {
      while (rows.next()) {
        columns.add(
            new Column(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                rows.getBoolean(4),
                rows.getBoolean(5)));
      }
    }
    return columns;
  }

  private List<Relation.Reference> references(long oid) throws SQLException {
    var references = new ArrayList<Relation.Reference>();
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT confrelid::regclass::text,
                  ARRAY(SELECT quote_ident(attname) FROM unnest(conkey) WITH ORDINALITY k (attnum, place)
                    JOIN pg_attribute USING (attnum) WHERE attrelid = conrelid ORDER BY place),
                  ARRAY(SELECT quote_ident(attname) FROM unnest(confkey) WITH ORDINALITY k (attnum, place)
                    JOIN pg_attribute USING (attnum) WHERE attrelid = confrelid ORDER BY place)
                FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND conrelid = %d
                """
                    .formatted(oid))) {
      while (rows.next()) {
        references.add(
            new Relation.Reference(rows.getString(1), strings(rows, 2), strings(rows, 3)));
      }
    }
    return references;
  }

  List<Routine> routines() throws SQLException {
    var routines = new ArrayList<Routine>();
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                """
                SELECT pg_proc.oid::regproc::text, coalesce((
                  SELECT string_agg(CASE
                    WHEN parameter = 'regclass'::regtype THEN '''acme.orders''::regclass'
                    WHEN parameter = 'regprocedure'::regtype THEN '''acme.backend()''::regprocedure'
                    WHEN parameter = 'boolean'::regtype THEN 'true'
                    WHEN typcategory = 'N' THEN '0'
                    WHEN parameter = 'uuid'::regtype THEN 'gen_random_uuid()'
                    WHEN parameter = 'text'::regtype THEN '''acme.leftover'''
                    ELSE 'NULL::' || parameter::regtype END, ', ' ORDER BY place)
                  FROM unnest(proargtypes) WITH ORDINALITY a (parameter, place)
                    JOIN pg_type ON pg_type.oid = parameter), '')
                FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
                WHERE prokind = 'f' AND prorettype <> 'trigger'::regtype AND %s
                ORDER BY 1
                """
                    .formatted(OF_MODULES))) {
      while (rows.next()) {
        var name = rows.getString(1);
        routines.add(new Routine(name, "%s(%s)".formatted(name, rows.getString(2))));
      }
    }
    return routines;
  }

  private static List<String> strings(ResultSet rows, int column) throws SQLException {
    return Arrays.asList((String[]) rows.getArray(column).getArray());
  }
}
