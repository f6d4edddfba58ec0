package io.leasehold.arch;

import static io.leasehold.arch.Planted.PACKAGE;
import static io.leasehold.arch.Planted.assertCaught;
import static io.leasehold.arch.Planted.compiled;
import static io.leasehold.arch.Planted.packages;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leasehold.arch.planted.street.Burglar;
import io.leasehold.arch.planted.street.Customer;
import io.leasehold.arch.planted.unmarked.MayBeNull;
import io.leasehold.arch.planted.util.Anything;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructureRulesTest {

  private static final String SHOP = PACKAGE + ".shop";
  private static final String STREET = PACKAGE + ".street";
  private static final List<String> MODULES = List.of(SHOP, STREET);

  @Test
  void catchesUseOfAnInnerPackage() {
    var rule = StructureRules.frontDoors(MODULES, SHOP + ".till");

    assertCaught(rule, Burglar.class);
  }

  @Test
  void catchesUseOfAnInnerPackageThatIsNoSideDoor() {
    assertCaught(StructureRules.frontDoors(MODULES), Customer.class);
  }

  @Test
  void allowsRootPackagesAndSideDoors() {
    var rule = StructureRules.frontDoors(MODULES, SHOP + ".till", SHOP + ".stock");

    rule.check(packages("shop", "street"));
  }

  @Test
  void allowsAModulesOwnInnerPackages() {
    StructureRules.frontDoors(MODULES).check(packages("shop"));
  }

  @Test
  void catchesUseOfLeaseholdsInnerPackages(@TempDir Path folder) throws IOException {
    var classes =
        compiled(
            folder,
            "package io.leasehold.engine.work.claim; public interface Inside {}",
            "package acme; interface Peeps extends io.leasehold.engine.work.claim.Inside {}");

    assertCaught(StructureRules.leaseholdByItsFrontDoors("io.leasehold.."), classes, "acme.Peeps");
  }

  @Test
  void allowsLeaseholdsRootPackages(@TempDir Path folder) throws IOException {
    var classes =
        compiled(
            folder,
            "package io.leasehold.engine; public interface Front {}",
            "package io.leasehold.jobs.history; public interface Part {}",
            "package acme; interface Knocks extends io.leasehold.engine.Front {}",
            "package acme; interface Reads extends io.leasehold.jobs.history.Part {}");

    StructureRules.leaseholdByItsFrontDoors().check(classes);
  }

  @Test
  void catchesUseAgainstTheDirection() {
    var rule = StructureRules.direction(Map.of(SHOP, Set.of(), STREET, Set.of()));

    assertCaught(rule, Customer.class);
  }

  @Test
  void catchesClassesOfNoModule() {
    assertCaught(StructureRules.direction(Map.of(SHOP, Set.of())), Customer.class);
  }

  @Test
  void allowsTheDirectionAndPrograms() {
    StructureRules.direction(Map.of(SHOP, Set.of(), STREET, Set.of(SHOP)))
        .check(packages("shop", "street"));
    StructureRules.direction(Map.of(SHOP, Set.of(), STREET, Set.of()), STREET)
        .check(packages("shop", "street"));
  }

  @Test
  void catchesOtherDependencies() {
    assertCaught(StructureRules.needsNothingBut(STREET, "java.."), packages("street"), "Customer");
  }

  @Test
  void allowsNamedDependencies() {
    StructureRules.needsNothingBut(STREET, "java..", SHOP + "..", "org.jspecify.annotations")
        .check(packages("street"));
  }

  @Test
  void catchesCycles() {
    assertCaughtCycle("ring", "hen.Hen");
    assertCaughtCycle("shop", "stock.Shelf");
  }

  private static void assertCaughtCycle(String name, String violation) {
    assertCaught(StructureRules.noCycles(PACKAGE + "." + name), packages(name), violation);
  }

  @Test
  void allowsCyclesThroughGuiceModulesAndNamedClasses() {
    StructureRules.noCycles(PACKAGE + ".wired").check(packages("wired"));
    StructureRules.noCycles(SHOP, SHOP + ".Shop").check(packages("shop"));
  }

  @Test
  void catchesPackagesThatAreNotNullMarked() {
    assertCaught(StructureRules.nullMarked(), packages("unmarked"), MayBeNull.class.getName());
  }

  @Test
  void allowsNullMarkedPackages() {
    StructureRules.nullMarked().check(packages("shop", "street"));
  }

  @Test
  void catchesMeaninglessPackageNames() {
    assertCaught(StructureRules.packageNames(), Anything.class);
  }

  @Test
  void allowsMeaningfulPackageNames() {
    StructureRules.packageNames().check(new ClassFileImporter().importClasses(Customer.class));
  }
}
