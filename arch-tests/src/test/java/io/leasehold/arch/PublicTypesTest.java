package io.leasehold.arch;

import static io.leasehold.arch.ArchitectureTest.CLASSES;
import static io.leasehold.arch.ArchitectureTest.GENERATED;
import static io.leasehold.arch.ArchitectureTest.MAY_USE;
import static io.leasehold.arch.Planted.PACKAGE;
import static io.leasehold.arch.Planted.packages;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.leasehold.arch.find.CodePlaces;
import io.leasehold.arch.find.Modules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each module's public types are those of a list that a reviewer sees change. */
class PublicTypesTest {

  private static final Path LISTS = Path.of("public-types");
  private static final Path FOUND = Path.of("build/public-types");

  static Set<String> modules() {
    return MAY_USE.keySet();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void matchTheList(String module) throws IOException {
    var found = publicTypes(CLASSES, Modules.of(modules()), module);
    var file = module + ".txt";

    Files.createDirectories(FOUND);
    Files.write(FOUND.resolve(file), found);

    assertThat(LISTS.resolve(file))
        .as("public types; if meant: cp arch-tests/build/public-types/* arch-tests/public-types/")
        .exists()
        .satisfies(list -> assertThat(found).isEqualTo(Files.readAllLines(list)));
  }

  @Test
  void areListedForExactlyTheModules() throws IOException {
    try (var lists = Files.list(LISTS)) {
      assertThat(lists.map(list -> list.getFileName().toString().replaceFirst("\\.txt$", "")))
          .containsExactlyInAnyOrderElementsOf(modules());
    }
  }

  @Test
  void areFoundInAllPackages() {
    var shop = PACKAGE + ".shop";

    assertThat(publicTypes(packages("shop"), Modules.of(Set.of(shop)), shop))
        .containsExactly(shop + ".Shop", shop + ".stock.Shelf", shop + ".till.Price");
  }

  private static List<String> publicTypes(JavaClasses classes, Modules modules, String module) {
    return classes.stream()
        .filter(type -> modules.of(type).filter(module::equals).isPresent())
        .filter(type -> !CodePlaces.of(GENERATED).contain(type))
        .filter(PublicTypesTest::isPublic)
        .map(JavaClass::getName)
        .sorted()
        .toList();
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().stream().allMatch(PublicTypesTest::isPublic);
  }
}
