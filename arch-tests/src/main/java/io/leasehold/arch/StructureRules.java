package io.leasehold.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.arch.find.CodePlaces;
import io.leasehold.arch.find.Modules;
import io.leasehold.arch.find.PackageSlices;
import io.leasehold.arch.find.SourceFinding;
import io.leasehold.arch.find.Uses;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Rules about modules and packages: their contents and their dependencies. */
public final class StructureRules {

  /** All of its packages are for callers. */
  private static final String API = "io.leasehold.jobs";

  private static final List<String> LEASEHOLD =
      List.of(
          API,
          "io.leasehold.db",
          "io.leasehold.engine",
          "io.leasehold.rest",
          "io.leasehold.migrations",
          "io.leasehold.embedded",
          "io.leasehold.testkit");

  private static final Set<String> EMPTY_WORDS =
      Set.of("util", "common", "core", "impl", "model", "dto", "service", "helper");

  private StructureRules() {}

  /**
   * A module's root package is its API: only the module itself uses the packages below it.
   *
   * @param modules the root packages, such as {@code com.acme.orders}
   * @param sideDoors packages below a root that other modules may use nevertheless
   */
  public static ArchRule frontDoors(Collection<String> modules, String... sideDoors) {
    var known = Modules.of(modules);
    var sides = CodePlaces.of(sideDoors);
    return SourceFinding.rule(
        CodePlaces.of(),
        "use other modules by their root packages",
        type ->
            Uses.in(
                type,
                used ->
                    known.isInside(used)
                        && !sides.contain(used)
                        && !known.of(used).equals(known.of(type))));
  }

  /** Only the root packages of Leasehold are used, and all packages of its API. */
  public static ArchRule leaseholdByItsFrontDoors(String... except) {
    var known = Modules.of(LEASEHOLD);
    return SourceFinding.rule(
            CodePlaces.of(except),
            "use Leasehold by its root packages",
            type -> Uses.in(type, used -> known.isInside(used) && !isApi(used)))
        .because("the packages below them change without notice");
  }

  private static boolean isApi(JavaClass type) {
    return type.getPackageName().startsWith(API + ".");
  }

  /**
   * Dependencies between modules have one direction.
   *
   * @param mayUse for each module's root package, the root packages of the modules that it may use
   * @param programs the code that installs everything, and so may use everything
   */
  public static ArchRule direction(Map<String, Set<String>> mayUse, String... programs) {
    var modules = Modules.of(mayUse.keySet());
    return SourceFinding.rule(
        CodePlaces.of(programs),
        "use the modules beneath their own only",
        type ->
            modules
                .of(type)
                .map(own -> against(modules, own, mayUse.getOrDefault(own, Set.of()), type))
                .orElseGet(() -> Stream.of(type.getDescription() + " is in no known module")));
  }

  private static Stream<String> against(
      Modules modules, String own, Set<String> mayUse, JavaClass type) {
    return Uses.in(
        type,
        used -> modules.of(used).filter(it -> !it.equals(own) && !mayUse.contains(it)).isPresent());
  }

  /** The code under a root package depends only on the named packages. */
  public static ArchRule needsNothingBut(String rootPackage, String... packages) {
    return classes()
        .that()
        .resideInAPackage(rootPackage + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.concat(Stream.of(rootPackage + ".."), Stream.of(packages))
                .toArray(String[]::new))
        .allowEmptyShould(false);
  }

  /**
   * Packages have no cyclic dependencies, direct or indirect.
   *
   * <p>Guice modules are exempt: they wire together the packages below them.
   *
   * @param except code that wires without Guice, and generated packages
   */
  public static ArchRule noCycles(String rootPackage, String... except) {
    return slices()
        .assignedFrom(new PackageSlices(rootPackage, CodePlaces.of(except)))
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(false);
  }

  /** Every package has a {@code package-info} that is {@code @NullMarked}. */
  public static ArchRule nullMarked(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "be in a package that is @NullMarked",
        type ->
            type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")
                ? Stream.of()
                : Stream.of(
                    "package %s of %s is not @NullMarked"
                        .formatted(type.getPackageName(), type.getName())));
  }

  /** No package has a meaningless name: util, common, core, impl, model, dto, service, helper. */
  public static ArchRule packageNames(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "be in a package that is named for what it holds",
        type ->
            EMPTY_WORDS.contains(type.getPackage().getRelativeName())
                ? Stream.of(
                    "package %s of %s has a name that says nothing"
                        .formatted(type.getPackageName(), type.getName()))
                : Stream.of());
  }
}
