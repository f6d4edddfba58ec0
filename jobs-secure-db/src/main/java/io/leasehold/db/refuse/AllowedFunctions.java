package io.leasehold.db.refuse;

import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jooq.Name;

/**
 * The functions that a tenant's statement may call by name: those of PostgreSQL that compute from
 * their arguments alone, and those that modules declare.
 *
 * <p>None of them runs text as SQL, changes or reads the session, waits, writes, or accesses files,
 * locks, large objects or the catalogue.
 */
final class AllowedFunctions {

  private static final String CATALOGUE = "pg_catalog";

  private static final String NUMBERS =
      """
      abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos
      cosd cosh cot cotd degrees div erf erfc exp factorial floor gcd lcm ln log log10 min_scale
      mod numeric_inc pi pow power radians random round scale sign sin sind sinh sqrt tan tand
      tanh trim_scale trunc width_bucket
      """;

  private static final String TEXT =
      """
      ascii bit_count bit_length btrim casefold char_length character_length chr concat concat_ws
      convert_from convert_to crc32 crc32c decode encode format get_bit get_byte initcap
      is_normalized left length lower lpad ltrim md5 normalize octet_length overlay parse_ident
      position quote_ident quote_literal quote_nullable regexp_count regexp_instr regexp_like
      regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
      regexp_substr repeat replace reverse right rpad rtrim set_bit set_byte sha224 sha256 sha384
      sha512 split_part starts_with string_to_array string_to_table strpos substr substring
      to_ascii to_bin to_char to_hex to_number to_oct translate trim unicode_assigned unistr upper
      """;

  private static final String TIME =
      """
      age clock_timestamp date date_add date_bin date_part date_subtract date_trunc extract
      isfinite justify_days justify_hours justify_interval make_date make_interval make_time
      make_timestamp make_timestamptz now statement_timestamp timezone to_date to_timestamp
      transaction_timestamp
      """;

  private static final String IDS =
      """
      gen_random_uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
      """;

  private static final String VALUES =
      """
      coalesce greatest least nullif num_nonnulls num_nulls
      """;

  private static final String ARRAYS =
      """
      array_append array_cat array_dims array_fill array_length array_lower array_ndims
      array_position array_positions array_prepend array_remove array_replace array_reverse
      array_sort array_to_string array_upper cardinality generate_series generate_subscripts
      trim_array unnest
      """;

  private static final String RANGES =
      """
      daterange int4range int8range isempty lower_inc lower_inf multirange numrange range_merge
      tsrange tstzrange upper_inc upper_inf
      """;

  private static final String JSON =
      """
      array_to_json json_array_elements json_array_elements_text json_array_length
      json_build_array json_build_object json_each json_each_text json_extract_path
      json_extract_path_text json_object json_object_keys json_strip_nulls json_typeof
      jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
      jsonb_build_object jsonb_concat jsonb_contains jsonb_delete jsonb_delete_path jsonb_each
      jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any jsonb_extract_path
      jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
      jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query
      jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
      jsonb_path_query_first_tz jsonb_path_query_tz jsonb_pretty jsonb_set jsonb_set_lax
      jsonb_strip_nulls jsonb_typeof row_to_json to_json to_jsonb
      """;

  // The one-argument functions ts_stat and ts_rewrite are missing here, because they would run
  // text.
  private static final String SEARCH =
      """
      numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery to_tsvector
      ts_delete ts_filter ts_headline ts_rank ts_rank_cd tsquery_phrase tsvector_to_array
      websearch_to_tsquery
      """;

  private static final String AGGREGATES =
      """
      any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop
      covar_samp every grouping json_agg json_object_agg jsonb_agg jsonb_object_agg max min mode
      percentile_cont percentile_disc range_agg range_intersect_agg regr_avgx regr_avgy regr_count
      regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp
      string_agg sum var_pop var_samp variance
      """;

  private static final String WINDOWS =
      """
      cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank
      row_number
      """;

  private static final Set<String> ALLOWED =
      Set.of(
          (NUMBERS
                  + TEXT
                  + TIME
                  + IDS
                  + VALUES
                  + ARRAYS
                  + RANGES
                  + JSON
                  + SEARCH
                  + AGGREGATES
                  + WINDOWS)
              .strip()
              .split("\\s+"));

  private final Predicate<Name> declared;
  private boolean calledDeclared;

  AllowedFunctions(Predicate<Name> declared) {
    this.declared = declared;
  }

  /** Returns whether a module's function has been allowed. */
  boolean haveCalledDeclared() {
    return calledDeclared;
  }

  void require(Name function) {
    if (isOwn(function)) {
      return;
    }
    if (!declared.test(function)) {
      throw Refusal.statement(
          "function %s is neither allowed nor declared: declare it with".formatted(function)
              + " tenantTables(binder()).function(…) if it is safe for every tenant");
    }
    calledDeclared = true;
  }

  private static boolean isOwn(Name function) {
    var schema = function.qualifier();
    return (schema == null || isCatalogue(schema)) && ALLOWED.contains(folded(function));
  }

  private static boolean isCatalogue(Name schema) {
    return !schema.qualified() && CATALOGUE.equals(folded(schema));
  }

  // As in PostgreSQL, an unquoted name is folded to lower case.
  static String folded(Name name) {
    var last = String.valueOf(name.last());
    return switch (name.unqualifiedName().quoted()) {
      case UNQUOTED, SYSTEM, MIXED -> last.toLowerCase(Locale.ROOT);
      case QUOTED, DEFAULT -> last;
    };
  }

  static Set<String> allowed() {
    return ALLOWED;
  }
}
