package io.leasehold.arch;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * All rules for one module that uses Leasehold, ready for a JUnit test factory.
 *
 * <p>Its own migrations, in the package {@code migrations} under its root, may contain SQL.
 */
public final class ModuleRules {

  private final String root;
  private final int atLeast;
  private final List<String> generated;
  private final List<String> programs;

  private ModuleRules(String root, int atLeast, List<String> generated, List<String> programs) {
    this.root = root;
    this.atLeast = atLeast;
    this.generated = generated;
    this.programs = programs;
  }

  /**
   * Creates the rules for all of a module's classes, of which at least one must be found.
   *
   * @param rootPackage the root package, such as {@code com.acme.orders}
   */
  public static ModuleRules of(String rootPackage) {
    return new ModuleRules(rootPackage, 1, List.of(), List.of());
  }

  /**
   * Requires at least this number of classes, because a test that checks too few classes passes.
   */
  public ModuleRules atLeast(int classes) {
    return new ModuleRules(root, classes, generated, programs);
  }

  /** Exempts generated code, such as {@code com.acme.orders.schema..}. */
  public ModuleRules generated(String... packages) {
    return new ModuleRules(root, atLeast, List.of(packages), programs);
  }

  /**
   * Allows the programs that start the service, such as {@code com.acme.Main}, to open and migrate
   * the database.
   */
  public ModuleRules programs(String... places) {
    return new ModuleRules(root, atLeast, generated, List.of(places));
  }

  /** Returns the rules that keep tenants apart. */
  public List<ArchRule> isolation() {
    return List.of(
        DatabaseRules.noPlainSql(generatedAnd(root + ".migrations..")),
        DatabaseRules.noJdbc(generatedAnd()),
        DatabaseRules.noOwnDsl(generatedAnd()),
        DatabaseRules.noOwnDatabase(generatedAnd(programs.toArray(String[]::new))),
        DatabaseRules.asEngineOnlyIn(),
        StructureRules.leaseholdByItsFrontDoors(generatedAnd()));
  }

  /** Returns the rules that keep code readable. */
  public List<ArchRule> style() {
    return List.of(
        StructureRules.noCycles(root, generatedAnd()),
        StructureRules.nullMarked(generatedAnd()),
        StructureRules.packageNames(generatedAnd()),
        StyleRules.typeNames(generatedAnd()),
        StyleRules.finalClasses(generatedAnd()),
        StyleRules.constructorInjection(generatedAnd()),
        StyleRules.noNamed(generatedAnd()),
        StyleRules.noSetters(generatedAnd()),
        CodeRules.noClocks(generatedAnd()),
        CodeRules.noStaticState(generatedAnd()),
        CodeRules.noGenericExceptions(generatedAnd()),
        CodeRules.noCatchAll(generatedAnd()),
        CodeRules.noPrinting(generatedAnd()),
        CodeRules.noMocks(generatedAnd()));
  }

  /**
   * Returns a test for each rule, named like the rule.
   *
   * @throws AssertionError if fewer classes are found than expected
   */
  public Stream<DynamicTest> tests() {
    var classes = ModuleClasses.under(root, atLeast);
    return Stream.concat(isolation().stream(), style().stream())
        .map(rule -> dynamicTest(rule.getDescription(), () -> rule.check(classes)));
  }

  private String[] generatedAnd(String... further) {
    return Stream.concat(generated.stream(), Stream.of(further)).toArray(String[]::new);
  }
}
