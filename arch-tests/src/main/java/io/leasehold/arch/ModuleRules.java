package io.leasehold.arch;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * All rules for one module that uses Leasehold, ready for a JUnit test factory.
 *
 * <p>Its own migrations, in the package {@code migrations} under its root, may hold SQL.
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
   * Starts with all of a module's classes, of which at least one has to be found.
   *
   * @param rootPackage as in {@code com.acme.orders}
   */
  public static ModuleRules of(String rootPackage) {
    return new ModuleRules(rootPackage, 1, List.of(), List.of());
  }

  /** Fails where fewer classes are found, because a test that looks at too little passes. */
  public ModuleRules atLeast(int classes) {
    return new ModuleRules(root, classes, generated, programs);
  }

  /** Leaves generated code out, as in {@code com.acme.orders.schema..}. */
  public ModuleRules generated(String... packages) {
    return new ModuleRules(root, atLeast, List.of(packages), programs);
  }

  /** Lets what starts the service open and migrate the database, as {@code com.acme.Main} does. */
  public ModuleRules programs(String... places) {
    return new ModuleRules(root, atLeast, generated, List.of(places));
  }

  /** The rules that keep tenants apart. */
  public List<ArchRule> isolation() {
    return List.of(
        DatabaseRules.noPlainSql(generatedAnd(root + ".migrations..")),
        DatabaseRules.noJdbc(generatedAnd()),
        DatabaseRules.noOwnDsl(generatedAnd()),
        DatabaseRules.noOwnDatabase(generatedAnd(programs.toArray(String[]::new))),
        DatabaseRules.asEngineOnlyIn(),
        StructureRules.leaseholdByItsFrontDoors(generatedAnd()));
  }

  /** The rules that keep code readable. */
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
   * A test for each rule, named like it.
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
