package io.leasehold.db.policy;

import io.leasehold.jobs.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Makes rows of several tenants in every table that has tenants, whatever its columns are. */
record FillTables(Connection administrator) {

  static final int ROWS_PER_TENANT = 2;

  // As Relation writes a value that has to be that of another table's row.
  private static final Pattern PARENT = Pattern.compile("\\$\\{([^ ]+)\\.([^ .]+) of ([^}]+)}");

  /**
   * Fills them.
   *
   * @throws AssertionError naming the table that no row can be made for
   */
  void with(List<Relation> relations, List<TenantId> tenants, TenantId withOneMore) {
    var empty = new ArrayList<>(relations.stream().filter(Relation::isFilled).toList());
    var filled = new ArrayList<String>();
    while (!empty.isEmpty()) {
      var next = empty.stream().filter(table -> hasParents(table, filled)).findFirst();
      var table = next.orElseThrow(() -> new AssertionError("circular references among " + empty));
      tenants.forEach(tenant -> fill(table, tenant.toString(), tenant.equals(withOneMore) ? 1 : 0));
      empty.remove(table);
      filled.add(table.name());
    }
  }

  private static boolean hasParents(Relation table, List<String> filled) {
    return table.references().stream()
        .allMatch(to -> to.to().equals(table.name()) || filled.contains(to.to()));
  }

  private void fill(Relation table, String tenant, int more) {
    for (int row = 1; row <= ROWS_PER_TENANT + more; row++) {
      try (var statement = administrator.createStatement()) {
        statement.execute(withParents(table.insert(tenant, tenant, row)));
      } catch (SQLException | IllegalArgumentException e) {
        throw new AssertionError(
            "no row can be made for table %s: teach Column its types".formatted(table.name()), e);
      }
    }
  }

  /** Puts the parents' values in, looked up now: who runs the statement may not see them. */
  String withParents(String sql) {
    return PARENT.matcher(sql).replaceAll(this::parentsValue);
  }

  private String parentsValue(MatchResult match) {
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT quote_nullable(%s::text) FROM %s WHERE tenant_id = '%s' ORDER BY 1 DESC LIMIT 1"
                    .formatted(match.group(2), match.group(1), match.group(3)))) {
      return rows.next() ? rows.getString(1) + typeOf(match) : "NULL";
    } catch (SQLException e) {
      throw new AssertionError("no parent for " + match.group(), e);
    }
  }

  private String typeOf(MatchResult match) throws SQLException {
    try (var statement = administrator.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT pg_typeof(%s) FROM %s LIMIT 1".formatted(match.group(2), match.group(1)))) {
      rows.next();
      return "::" + rows.getString(1);
    }
  }
}
