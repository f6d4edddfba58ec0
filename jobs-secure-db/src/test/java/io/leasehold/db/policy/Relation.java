package io.leasehold.db.policy;

import static java.util.stream.Collectors.joining;

import java.util.List;

/**
 * A table, partition, view or sequence as the catalogue has it.
 *
 * @param kind as in pg_class
 * @param primaryKey its columns; of none where there is no primary key
 * @param references its foreign keys
 */
record Relation(
    String name,
    String kind,
    boolean isPartition,
    List<Column> columns,
    List<String> primaryKey,
    List<Reference> references) {

  /** A foreign key: columns of this table, and those of the other that they refer to. */
  record Reference(String to, List<String> columns, List<String> referred) {}

  boolean isTable() {
    return kind.equals("r") || kind.equals("p");
  }

  boolean isSequence() {
    return kind.equals("S");
  }

  boolean hasTenant() {
    return columns.stream().anyMatch(Column::isTenant);
  }

  /** Whether rows are to be made for it: those of a partition are made through its parent. */
  boolean isFilled() {
    return isTable() && hasTenant() && !isPartition;
  }

  List<Column> written() {
    return columns.stream().filter(column -> !column.isGiven()).toList();
  }

  boolean refersBy(String column) {
    return references.stream().anyMatch(reference -> reference.columns.contains(column));
  }

  /** A column to change, other than the tenant where there is one. */
  String changeable() {
    return written().stream()
        .map(Column::name)
        .filter(name -> !name.equals(Column.TENANT))
        .findFirst()
        .orElse(written().getFirst().name());
  }

  /** An insert of a tenant's row that refers to rows of another, or the same. */
  String insert(String tenant, String parentsTenant, int row) {
    return "INSERT INTO %s (%s) SELECT %s"
        .formatted(name, names(written()), values(tenant, parentsTenant, row));
  }

  String values(String tenant, String parentsTenant, int row) {
    return written().stream()
        .map(column -> value(column, tenant, parentsTenant, row))
        .collect(joining(", "));
  }

  /** The same as one's own row, but for the parents, as another tenant's that is given as JSON. */
  String insertLike(String json, String tenant) {
    var copied = columns.stream().filter(column -> !column.isGenerated()).toList();
    var values = copied.stream().map(column -> copiedValue(column, tenant)).collect(joining(", "));
    return "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM json_populate_record(NULL::%s, '%s') r"
        .formatted(name, names(copied), values, name, json.replace("'", "''"));
  }

  private String copiedValue(Column column, String tenant) {
    return column.isTenant() || refersBy(column.name())
        ? value(column, tenant, tenant, 0)
        : "r." + column.name();
  }

  private String value(Column column, String tenant, String parentsTenant, int row) {
    if (column.isTenant()) {
      return "'%s'::uuid".formatted(tenant);
    }
    return references.stream()
        .filter(reference -> reference.columns.contains(column.name()))
        .findFirst()
        .map(reference -> parentsValue(reference, column, parentsTenant))
        .orElseGet(() -> column.value(tenant, row));
  }

  private static String parentsValue(Reference reference, Column column, String tenant) {
    var referred = reference.referred.get(reference.columns.indexOf(column.name()));
    return "${%s.%s of %s}".formatted(reference.to, referred, tenant);
  }

  static String names(List<Column> columns) {
    return columns.stream().map(Column::name).collect(joining(", "));
  }

  @Override
  public String toString() {
    return name;
  }
}
