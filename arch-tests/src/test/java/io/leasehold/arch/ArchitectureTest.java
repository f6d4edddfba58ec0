package io.leasehold.arch;

import static java.util.Map.entry;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The rules of ARCHITECTURE.md, in its order. */
class ArchitectureTest {

  private static final String JOBS = "io.leasehold.jobs";
  private static final String DB = "io.leasehold.db";
  private static final String ENGINE = "io.leasehold.engine";
  private static final String PLANS = "io.leasehold.plans";
  private static final String REST = "io.leasehold.rest";
  private static final String RUNS = "io.leasehold.runs";
  private static final String MIGRATIONS = "io.leasehold.migrations";
  private static final String EMBEDDED = "io.leasehold.embedded";
  private static final String DOWNLOADS = "io.leasehold.downloads";
  private static final String TESTKIT = "io.leasehold.testkit";
  private static final String ARCH = "io.leasehold.arch";
  private static final String BENCH = "io.leasehold.bench";
  private static final String LIMIT = BENCH + ".limit..";

  /** The least number of classes that each module has: about nine tenths of what it has today. */
  private static final Map<String, Integer> SIZES =
      Map.ofEntries(
          entry(JOBS, 58),
          entry(DB, 150),
          entry(ENGINE, 230),
          entry(PLANS, 42),
          entry(REST, 165),
          entry(RUNS, 20),
          entry(MIGRATIONS, 20),
          entry(DOWNLOADS, 17),
          entry(EMBEDDED, 9),
          entry(TESTKIT, 16),
          entry(ARCH, 27),
          entry(BENCH, 40));

  /** Which modules each module may use. */
  static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          entry(JOBS, Set.of()),
          entry(DB, Set.of(JOBS)),
          entry(ENGINE, Set.of(JOBS, DB)),
          entry(DOWNLOADS, Set.of(JOBS)),
          entry(PLANS, Set.of(JOBS)),
          entry(REST, Set.of(JOBS)),
          entry(RUNS, Set.of(JOBS)),
          entry(MIGRATIONS, Set.of()),
          entry(EMBEDDED, Set.of()),
          entry(TESTKIT, Set.of(JOBS, DB, ENGINE, MIGRATIONS, EMBEDDED)),
          entry(ARCH, Set.of()),
          entry(BENCH, Set.of(JOBS, DB, ENGINE, REST, MIGRATIONS, EMBEDDED, TESTKIT)));

  /** Installs all modules, so it may use all of them, and print to the console that started it. */
  private static final String PROGRAM = REST + ".program..";

  /** What stands in for the service that embeds the platform, and uses it as that would. */
  private static final String DEMONSTRATION = REST + ".demo..";

  /** The tables that jOOQ generates; their converters stand beside them. */
  private static final String SCHEMA = "io.leasehold.db.schema";

  static final String GENERATED = SCHEMA + "..";

  /** The classes that open a transaction which sees every tenant's rows. */
  private static final List<String> ENGINE_WORK =
      List.of(
          ENGINE + ".work.claim.Lanes",
          ENGINE + ".time.schedules.FireInTime",
          ENGINE + ".maintenance.dependencies.FollowDependents",
          ENGINE + ".maintenance.CatchUpMirrors",
          ENGINE + ".work.finish.WriteEndings",
          ENGINE + ".work.finish.ResolveCommit",
          ENGINE + ".work.steps.Steps",
          ENGINE + ".work.lease.FindCancelled",
          ENGINE + ".work.lease.FindFree",
          ENGINE + ".work.lease.KeepLeases",
          ENGINE + ".work.lease.MarkBegun",
          ENGINE + ".metrics.QueueDepths",
          ENGINE + ".work.outputs.SweepOutputs",
          ENGINE + ".service.queues.SharedQueues",
          ENGINE + ".service.queues.StoredWorkers",
          ENGINE + ".time.delayed.MoveInTime",
          ENGINE + ".time.delayed.WatchClock",
          ENGINE + ".work.events.Writes",
          ENGINE + ".maintenance.Leads",
          ENGINE + ".maintenance.PrepareTables",
          ENGINE + ".maintenance.rescue.Rescue",
          ENGINE + ".maintenance.fleet.Registry",
          ENGINE + ".maintenance.cancels.FollowCancels",
          ENGINE + ".maintenance.retention.PruneDays",
          ENGINE + ".maintenance.retention.RemoveElsewhere",
          ENGINE + ".signal.wakeup.SendNotifications");

  static final JavaClasses CLASSES =
      ModuleClasses.under("io.leasehold", 170)
          .that(DescribedPredicate.not(inPackages("io.leasehold.bench.*jmh_generated")));

  @Test
  void everyModuleIsChecked() {
    assertThat(SIZES)
        .allSatisfy(
            (module, least) -> assertThat(count(module)).as(module).isGreaterThanOrEqualTo(least))
        .doesNotContainValue(0);
  }

  @Test
  void sizesAndDependenciesCoverTheSameModules() {
    assertThat(SIZES.keySet()).isEqualTo(MAY_USE.keySet());
  }

  @Test
  void modulesUseOnlyTheModulesBelowThem() {
    check(except -> StructureRules.direction(MAY_USE, except), PROGRAM, DEMONSTRATION);
  }

  @Test
  void modulesAreEnteredByTheirFrontDoors() {
    check(
        sides -> StructureRules.frontDoors(MAY_USE.keySet(), sides),
        GENERATED,
        JOBS + ".."); // all of the API is for callers
  }

  @Test
  void theApiNeedsNothingButTheJdk() {
    check(
        needed -> StructureRules.needsNothingBut(JOBS, needed),
        "java..",
        "org.jspecify.annotations");
  }

  @Test
  void packagesFormNoCycles() {
    check(
        except -> StructureRules.noCycles("io.leasehold", except),
        GENERATED,
        DB + ".SecureDatabase", // the entrance, which puts the rooms behind it together
        REST + ".Main", // the same
        JOBS + ".."); // one API: JobService answers with what the rooms below hold
  }

  /**
   * Fewer are no room of their own, more are not seen at a glance. The engine has no exceptions;
   * other modules have those that are listed.
   */
  @Test
  void packagesHoldThreeToTwelveTypes() {
    var sizes =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .filter(type -> !type.getPackageName().startsWith(SCHEMA))
            .collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()));
    sizes.values().removeIf(types -> types >= 3 && types <= 12);

    assertThat(sizes.keySet())
        .containsExactly(
            ARCH + ".find", BENCH + ".load", DB, JOBS, MIGRATIONS, PLANS, RUNS, TESTKIT);
  }

  @Test
  void packagesAreNullMarked() {
    check(StructureRules::nullMarked, GENERATED);
  }

  @Test
  void packagesAreNamedForWhatTheyHold() {
    check(StructureRules::packageNames);
  }

  @Test
  void onlyMigrationsContainSql() {
    check(
        DatabaseRules::noPlainSql,
        GENERATED,
        DB + ".scope.FunctionRows", // writes a select around a function's rows
        DB + ".scope.ScopedRows"); // writes the scope itself around a table
  }

  @Test
  void connectionsStayInTheSecureDb() {
    check(
        DatabaseRules::noJdbc,
        DB + "..",
        MIGRATIONS + "..", // migrates as the owner, before there is anything to protect
        EMBEDDED + "..", // starts the server
        TESTKIT + "..", // shows a test the rows of all tenants
        LIMIT); // the least that SQL can cost, to compare with
  }

  @Test
  void onlyTheSecureDbMakesDsls() {
    check(DatabaseRules::noOwnDsl, DB + "..", LIMIT);
  }

  @Test
  void onlyProgramsOpenDatabases() {
    check(
        DatabaseRules::noOwnDatabase,
        PROGRAM,
        DB + "..",
        MIGRATIONS + "..",
        EMBEDDED + "..",
        TESTKIT + "..",
        BENCH + ".."); // programs of their own
  }

  @Test
  void onlyTheEngineSeesEveryTenant() {
    assertThat(ENGINE_WORK).allMatch(name -> name.startsWith(ENGINE + "."));

    var all = new ArrayList<>(ENGINE_WORK);
    all.add(DB + ".SecureDatabase"); // passes the call on to its running transactions
    all.add(DB + ".transaction.PooledTransactions"); // reads the key of the tenants' proof
    check(DatabaseRules::asEngineOnlyIn, all.toArray(String[]::new));
  }

  @Test
  void typesAreNamedForWhatTheyAreOrDo() {
    check(StyleRules::typeNames);
  }

  @Test
  void classesAreFinal() {
    check(StyleRules::finalClasses, GENERATED);
  }

  @Test
  void onlyConstructorsAreInjected() {
    check(StyleRules::constructorInjection);
  }

  @Test
  void bindingsAreNotNamedByStrings() {
    check(StyleRules::noNamed);
  }

  @Test
  void typesHaveNoSetters() {
    check(StyleRules::noSetters, GENERATED);
  }

  @Test
  void timeComesFromTheDatabase() {
    check(
        CodeRules::noClocks,
        REST + ".issuer.DevelopmentIssuer", // a token is good for a while of the world's time
        REST + ".RestModule", // whether a token has expired, the world's time says
        ENGINE + ".inmemory.state.MemoryClock", // what is never stored has no other
        BENCH + ".stream.Keys", // makes tokens, which are good for a while
        BENCH + ".Report"); // dates its file
  }

  @Test
  void staticStateIsImmutable() {
    check(
        CodeRules::noStaticState,
        DB + ".transaction.Dsl", // jOOQ's settings can change, so each session is given a copy
        DB + ".transaction.Openings", // writes SQL with a context that nothing can reach
        ENGINE + ".service.values.Json", // Jackson's mapper does not change once it is built
        TESTKIT + ".KeptMetadata", // the same
        REST + ".http.JsonBody", // the same
        REST + ".limit.StrictJson", // the same
        PLANS + ".process.FolderLock", // the system's file locks belong to the whole process, too
        EMBEDDED + ".ClusterLock"); // the system's file locks belong to the whole process, too
  }

  @Test
  void exceptionsAreSpecific() {
    check(CodeRules::noGenericExceptions);
  }

  /** The edges where everything is caught: an attempt, a request, a maintenance run. */
  @Test
  void onlyTheEdgesCatchEverything() {
    check(
        CodeRules::noCatchAll,
        ENGINE + ".work.attempt.Attempt", // whatever a handler throws ends its attempt, and nothing
        // else
        ENGINE + ".inmemory.MemoryAttempt", // the same
        ENGINE + ".work.intercept.TraceJobs", // tells a trace what it passes on
        ENGINE + ".kernel.ErrorText", // even to say what it threw may fail
        ENGINE
            + ".work.attempt.HandlerCalls", // what a handler is told of the end does not change it
        PLANS + ".PlanRun", // whatever a task throws fails its attempt, and is told of that task
        PLANS + ".LazyState", // how a state ends does not hide how the attempt did
        REST + ".server.Answering", // whatever goes wrong with a request is answered
        ENGINE + ".work.run.RunJobs", // whatever a row makes Java throw ends its job, and frees its
        // slot
        ENGINE
            + ".threads.AttemptThreads", // a thread that cannot be started frees its slot as well
        ENGINE + ".inmemory.MemoryWorker", // the same for jobs in memory
        ENGINE
            + ".work.finish.EndingWriter", // one ending that cannot be written does not hold others
        // up
        ENGINE + ".work.finish.NotifyOfEnds", // a hint that fails does not undo what is committed
        ENGINE + ".work.attempt.Judge", // its retry policy is the handler's as well
        DB + ".transaction.TenantSession"); // no hook undoes the commit, nor stops another hook
  }

  @Test
  void onlyProgramsWriteToTheConsole() {
    check(
        CodeRules::noPrinting,
        REST + ".Main",
        BENCH + "..",
        TESTKIT + ".TestRun"); // says once which server the tests run on
  }

  @Test
  void nothingIsMocked() {
    check(CodeRules::noMocks);
  }

  private static void check(Function<String[], ArchRule> rule, String... except) {
    Exemptions.check(rule, CLASSES, except);
  }

  private static int count(String module) {
    return CLASSES.that(inPackages(module + "..")).size();
  }

  private static DescribedPredicate<JavaClass> inPackages(String pattern) {
    return JavaClass.Predicates.resideInAPackage(pattern);
  }
}
