package io.leasehold.db.policy;

/**
 * A column, and how to make a value for it.
 *
 * @param type as it is written in a cast
 * @param shape "enum", "array" or the name of the base type
 * @param isGenerated whether its value is computed from others
 * @param isIdentity whether its value is counted
 */
record Column(String name, String type, String shape, boolean isGenerated, boolean isIdentity) {

  static final String TENANT = "tenant_id";

  /** Whether an insert leaves it to the database. */
  boolean isGiven() {
    return isGenerated || isIdentity;
  }

  boolean isTenant() {
    return name.equals(TENANT);
  }

  /** An expression whose value differs by row, and tells its tenant where it has the room. */
  String value(String tenant, int row) {
    return switch (shape) {
      case "uuid" -> "gen_random_uuid()";
      case "int2" -> Integer.toString(row);
      // Far apart, so that the rows fall into several partitions.
      case "int4", "int8" -> Long.toString(row % 2 == 0 ? row * 1_000_000L : row);
      case "numeric", "float4", "float8" -> row + ".5";
      case "bool" -> "true";
      case "text" -> "'%d of %s'".formatted(row, tenant);
      case "varchar", "bpchar", "name" -> "left(md5(random()::text), 6)";
      case "date" -> "DATE '2026-01-01' + " + row;
      case "timestamptz", "timestamp" -> "now()";
      case "interval" -> "INTERVAL '1 hour'";
      case "json", "jsonb" -> "'{\"of\": \"%s\"}'".formatted(tenant);
      case "bytea" -> "'\\x00'";
      case "array" -> "'{}'";
      case "enum" -> "(enum_range(NULL::%s))[1]".formatted(type);
      default -> throw new IllegalArgumentException("column %s of type %s".formatted(name, type));
    };
  }
}
