package io.leasehold.db.attack;

import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.UnverifiedDatabase;
import io.leasehold.db.refuse.AllowedNames;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jooq.Collation;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.GroupField;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.OrderField;
import org.jooq.QuantifiedSelect;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.ResultQuery;
import org.jooq.Row;
import org.jooq.SQL;
import org.jooq.SelectField;
import org.jooq.TableLike;
import org.jooq.WindowSpecification;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Calls the methods that jOOQ makes statements with, with hostile arguments, and sends what comes
 * of it: nothing of an argument may be SQL, and no function may be called that is not allowed.
 *
 * <p>A seed is taken from the property {@code leasehold.seed}, and printed.
 */
class GeneratedAttackTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  // The interfaces of which each method is called, beside those of DSL.
  private static final String FLUENT =
      "(?:Field|Table|TableField|Named?|DSLContext|Row1|Row2|RowN|SelectField|Param|Name"
          + "|QuantifiedSelect"
          + "|(?:Select|Insert|Update|Delete|With|Merge|Window|Aggregate|OrderedAggregate|ArrayAgg"
          + "|GroupConcat|ListAgg|Case|JSON|Like|Table|CommonTable|DerivedColumn|SortField)\\w*)";

  // Types of which no argument is made, and why.
  private static final List<String> NOT_MADE =
      List.of(
          "java.sql.", // connections and results: what they lead to is the guard's
          "javax.sql.",
          "io.r2dbc.",
          "java.io.",
          "java.util.Properties",
          "java.util.Comparator",
          "java.util.stream.", // of results
          "java.util.concurrent.Executor",
          "java.lang.Runnable",
          "org.jooq.conf.Settings", // what sends statements: the configuration's own test
          "org.jooq.Configuration",
          "org.jooq.ConnectionProvider",
          "org.jooq.SQLDialect",
          "org.jooq.Converter",
          "org.jooq.ContextConverter",
          "org.jooq.Binding",
          "org.jooq.Record",
          "org.jooq.Result",
          "org.jooq.Cursor",
          "org.jooq.Context",
          "org.jooq.BindContext",
          "org.jooq.RecordHandler",
          "org.jooq.RecordMapper",
          "org.jooq.Attachable",
          "org.jooq.UpdatableRecord",
          "org.jooq.TableRecord",
          "org.jooq.Version",
          "org.jooq.Formattable",
          "org.jooq.TransactionalCallable",
          "org.jooq.TransactionalRunnable",
          "org.jooq.TransactionalPublishable",
          "org.jooq.ContextTransactional",
          "org.jooq.ConnectionCallable",
          "org.jooq.ConnectionRunnable",
          "org.jooq.Source",
          "org.jooq.Routine",
          "org.jooq.UDT",
          "org.jooq.EmbeddableRecord",
          "org.jooq.Parameter",
          "org.jooq.Path",
          "org.jooq.Row",
          "org.jooq.Select",
          "org.jooq.Insert",
          "org.jooq.Update",
          "org.jooq.Delete",
          "org.jooq.Merge",
          "org.jooq.Catalog",
          "org.jooq.Schema",
          "org.jooq.Domain",
          "org.jooq.Index",
          "org.jooq.Type",
          "org.jooq.Role",
          "org.jooq.User",
          "org.jooq.Privilege",
          "org.jooq.Statement",
          "org.jooq.Query",
          "org.jooq.Block",
          "org.jooq.UniqueKey",
          "org.jooq.ForeignKey",
          "org.jooq.InverseForeignKey",
          "org.jooq.Meta",
          "org.jooq.Generator",
          "org.jooq.XMLAttributes",
          "org.jooq.Subscri",
          "org.reactivestreams.",
          "java.util.concurrent.Flow",
          "java.util.Locale",
          "java.lang.StackTraceElement",
          "org.jooq.impl.QOM",
          "org.jooq.Batched",
          "org.jooq.DDLExportConfiguration",
          "org.jooq.Identity",
          "org.jooq.Queries",
          "org.jooq.TransactionProperty",
          "org.jooq.tools.jdbc.Mock",
          "org.jooq.util.xml.");

  private static final boolean FULL = "full".equals(System.getProperty("leasehold.proof"));
  private static final Duration SAMPLE = Duration.ofSeconds(15);
  private static final int ROUNDS = 3;
  private static final String REFUSED = "refused";

  private static final PreparedTexts sent = new PreparedTexts();
  private static final Set<String> known = new HashSet<>();
  private static @Nullable UnverifiedDatabase database;

  private final long seed = Long.getLong("leasehold.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final HostileArguments arguments = new HostileArguments(random);

  @BeforeAll
  static void open() throws SQLException {
    acme.acme()
        .execute(
            """
            CREATE SCHEMA attack;
            CREATE FUNCTION attack.canary() RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
              RAISE EXCEPTION 'the canary sang' USING ERRCODE = 'LH666';
            END $$;
            GRANT USAGE ON SCHEMA attack TO PUBLIC;
            INSERT INTO acme.orders (tenant_id, code) VALUES ('%s', 'a row to select from');
            """
                .formatted(Acme.ANN));
    known.addAll(acme.look("SELECT DISTINCT proname FROM pg_proc"));
    database =
        UnverifiedDatabase.open(
            acme.acme().config(), OpenAcme.TABLES, acme.serverVersion(), sent::before);
  }

  @AfterAll
  static void close() {
    if (database != null) {
      database.close();
    }
  }

  /** A method, and what it is called on. */
  private record Attack(Method method, @Nullable Class<?> receiver) {
    @Override
    public String toString() {
      return method.toString();
    }
  }

  private final Set<Attack> covered = new HashSet<>();
  private int executed;
  private int broken;
  private final Map<String, Integer> ends = new TreeMap<>();

  @Test
  void noArgumentIsSqlAndNoFunctionIsCalledUnlessAllowed(TestReporter reporter) {
    var attacks = new ArrayList<>(attacks().toList());
    attacks.sort(Comparator.comparing(Attack::toString));
    Collections.shuffle(attacks, random);
    var until = System.nanoTime() + SAMPLE.toNanos();
    var faults = new ArrayList<String>();

    for (int from = 0; from < attacks.size() && (FULL || System.nanoTime() < until); from += 20) {
      var some = attacks.subList(from, Math.min(attacks.size(), from + 20));
      faults.addAll(run(some));
      covered.addAll(some);
    }

    reporter.publishEntry("leasehold.seed", Long.toString(seed));
    reporter.publishEntry(
        "attack",
        "%d of %d methods, %d statements sent, %d transactions broken, ends: %s"
            .formatted(covered.size(), attacks.size(), executed, broken, ends));
    assertThat(faults).as("seed %d", seed).isEmpty();
    assertThat(executed).isPositive();
    assertThat(ends).containsKeys("sent", REFUSED);
  }

  @Test
  void noPartAloneIsSql() {
    var faults =
        arguments
            .each()
            .flatMap(
                part ->
                    inTransaction(
                        tx -> run(tx, _ -> part).map(fault -> part + fault).stream().toList())
                        .stream())
            .toList();

    assertThat(faults).isEmpty();
  }

  @Test
  void everyMethodIsCoveredOrListed() {
    var missing = new TreeMap<String, Integer>();
    attacks()
        .flatMap(attack -> Stream.of(attack.method.getParameterTypes()))
        .filter(type -> !isListed(type))
        .forEach(
            type -> arguments.refusal(type).ifPresent(why -> missing.merge(why, 1, Integer::sum)));

    assertThat(missing).isEmpty();
  }

  private static boolean isListed(Class<?> type) {
    var component = type;
    while (component.isArray()) {
      component = component.getComponentType();
    }
    var name = component.getName();
    return NOT_MADE.stream().anyMatch(name::startsWith);
  }

  private static Stream<Attack> attacks() {
    var ofDsl =
        Stream.of(DSL.class.getMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .map(method -> new Attack(method, null));
    var fluent =
        fluent()
            .flatMap(
                type ->
                    Stream.of(type.getMethods())
                        .filter(method -> method.getDeclaringClass() == type)
                        .filter(method -> !method.isBridge() && !method.isSynthetic())
                        .map(method -> new Attack(method, type)));
    return Stream.concat(ofDsl, fluent)
        .filter(attack -> !CompletionStage.class.isAssignableFrom(attack.method.getReturnType()))
        .filter(attack -> attack.method.getParameterCount() <= 8);
  }

  private static Stream<Class<?>> fluent() {
    var location = DSL.class.getProtectionDomain().getCodeSource().getLocation();
    try (var jar = new JarFile(Path.of(location.toURI()).toFile())) {
      var names =
          jar.stream()
              .map(entry -> entry.getName().replace('/', '.').replaceFirst("\\.class$", ""))
              .filter(name -> name.matches("org\\.jooq\\." + FLUENT))
              .sorted()
              .toList();
      return names.stream().<Class<?>>map(GeneratedAttackTest::load).filter(Class::isInterface);
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<String> run(List<Attack> attacks) {
    return inTransaction(
        tx ->
            attacks.stream()
                .flatMap(attack -> Collections.nCopies(ROUNDS, attack).stream())
                .flatMap(
                    attack ->
                        run(tx, dsl -> make(dsl, attack)).map(fault -> attack + fault).stream())
                .toList());
  }

  // A method may break its transaction, which then ends with an error: the next ones have another.
  private List<String> inTransaction(Function<ScopedTransaction, List<String>> work) {
    var faults = new ArrayList<String>();
    try {
      Objects.requireNonNull(database)
          .transactions()
          .asTenant(
              Acme.of(Acme.ANN),
              tx -> {
                tx.dsl().selectOne().fetch();
                sent.take();
                faults.addAll(work.apply(tx));
                return 0;
              });
    } catch (JobsException e) {
      broken++;
    }
    return faults;
  }

  private Optional<String> run(
      ScopedTransaction tx, Function<DSLContext, @Nullable Object> attack) {
    var error = "";
    try {
      tx.savepoint(
          inner -> {
            send(inner.dsl(), attack.apply(inner.dsl()));
            throw new Undone();
          });
    } catch (Undone e) {
      error = "sent";
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      error = stateOf(e);
    }
    var texts = sent.take();
    executed += texts.isEmpty() ? 0 : 1;
    ends.merge(error, 1, Integer::sum);
    return error.equals("LH666")
        ? Optional.of(": the canary sang: " + texts)
        : texts.stream()
            .flatMap(
                text ->
                    new SentSql(text)
                        .faults(HostileArguments.MARKER, GeneratedAttackTest::mayCall).stream()
                            .map(fault -> ": " + fault + " in " + text))
            .findFirst();
  }

  // What the server does not know cannot be called: such a statement fails.
  private static boolean mayCall(String function) {
    return AllowedNames.allows(function) || !known.contains(function);
  }

  private static String stateOf(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
      if (cause instanceof JobsException refusal && refusal.code() == ErrorCode.STATEMENT_REFUSED) {
        return REFUSED;
      }
    }
    return "failed";
  }

  private @Nullable Object make(DSLContext dsl, Attack attack) {
    var receiver = attack.receiver == null ? null : receiver(dsl, attack.receiver);
    var values = Arrays.stream(attack.method.getParameterTypes()).map(arguments::of).toArray();
    try {
      return attack.method.invoke(receiver, values);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object receiver(DSLContext dsl, Class<?> type) {
    return receivers(dsl).filter(type::isInstance).findFirst().orElse(null);
  }

  private static Stream<Object> receivers(DSLContext dsl) {
    var o = ORDERS;
    return Stream.of(
        dsl,
        o.CODE,
        o,
        dsl.select(o.CODE).from(o),
        dsl.selectQuery(o),
        dsl.insertInto(o),
        dsl.insertQuery(o),
        dsl.update(o),
        dsl.updateQuery(o),
        dsl.deleteFrom(o),
        dsl.deleteQuery(o),
        dsl.mergeInto(o),
        dsl.with("c"),
        dsl.with("c").as(select(o.CODE).from(o)),
        o.join(o.as("p")),
        o.as("p"),
        DSL.max(o.CODE),
        DSL.listAgg(o.CODE),
        DSL.arrayAgg(o.CODE),
        DSL.groupConcat(o.CODE),
        DSL.rowNumber(),
        DSL.lag(o.CODE),
        DSL.mode(),
        DSL.jsonArrayAgg(o.CODE),
        DSL.jsonObjectAgg(o.CODE, o.CODE),
        DSL.jsonArray(o.CODE),
        DSL.jsonObject(),
        DSL.jsonValue(inline(org.jooq.JSON.valueOf("{}")), "$"),
        DSL.jsonExists(inline(org.jooq.JSON.valueOf("{}")), "$"),
        DSL.key("k"),
        DSL.key("k").value(1),
        DSL.case_(),
        DSL.case_(o.CODE),
        DSL.when(o.CODE.eq("a"), "b"),
        DSL.orderBy(o.CODE),
        name("w").as(DSL.orderBy(o.CODE)),
        name("w"),
        name("c").fields("a"),
        name("c").fields("a").as(select(o.CODE).from(o)),
        o.CODE.like("a"),
        o.CODE.like(DSL.any("a")),
        o.CODE.asc(),
        val("a"),
        DSL.row(o.CODE),
        DSL.row(o.CODE, o.NOTE),
        DSL.row(List.of(o.CODE, o.NOTE)),
        DSL.any("a"));
  }

  // Whatever it is, it is put where such a part stands in a statement.
  private void send(DSLContext dsl, @Nullable Object made) {
    var text = HostileArguments.text();
    var from = dsl.select(val(1)).from(ORDERS, text);
    switch (made) {
      case ResultQuery<?> query -> dsl.fetch(query);
      case Query query -> dsl.execute(query);
      case Condition condition -> from.where(condition).fetch();
      case CommonTableExpression<?> with -> dsl.with(with).selectFrom(with).fetch();
      case Field<?> value -> dsl.select(value).from(ORDERS, text).fetch();
      case TableLike<?> rows -> dsl.select().from(rows).fetch();
      case Row row -> from.where(DSL.row(row.fields()).eq(DSL.row(row.fields()))).fetch();
      case OrderField<?> order -> from.orderBy(order).fetch();
      case GroupField group -> from.groupBy(group).fetch();
      case SelectField<?> value -> dsl.select(value).from(ORDERS, text).fetch();
      case WindowSpecification window ->
          dsl.select(DSL.count().over(window)).from(ORDERS, text).fetch();
      case Name name -> dsl.select(field(name)).from(ORDERS, text).fetch();
      case SQL sql -> dsl.select(field(sql)).from(ORDERS, text).fetch();
      case DataType<?> type -> dsl.select(val(null, String.class).cast(type)).fetch();
      case Collation collation -> dsl.select(val("a").collate(collation)).fetch();
      case QuantifiedSelect<?> _, Keyword _ ->
          dsl.select(field("{0}", (QueryPart) made)).from(ORDERS, text).fetch();
      case QueryPart part -> {
        if (random.nextBoolean()) {
          dsl.select(field("{0}", part)).from(ORDERS, text).fetch();
        } else {
          dsl.selectFrom(table("{0}", part)).fetch();
        }
      }
      case null, default -> {}
    }
  }

  /** Undoes what an attack did. */
  private static final class Undone extends RuntimeException {
    @java.io.Serial private static final long serialVersionUID = 1L;
  }
}
