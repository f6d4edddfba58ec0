package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Holds rules against what is planted for them. */
final class Planted {

  static final String PACKAGE = Planted.class.getPackageName() + ".planted";

  private static final Pattern TYPE = Pattern.compile("(?:class|interface) (\\w+)");

  private Planted() {}

  static void assertCaught(ArchRule rule, Class<?> violation) {
    assertCaught(rule, new ClassFileImporter().importClasses(violation), violation.getName());
  }

  static void assertCaught(ArchRule rule, JavaClasses classes, String violation) {
    assertThatThrownBy(() -> rule.check(classes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("was violated")
        .hasMessageContaining(violation);
  }

  static void assertPasses(ArchRule rule, Class<?>... clean) {
    rule.check(new ClassFileImporter().importClasses(clean));
  }

  /** The classes of planted packages, as in "shop", and of those below them. */
  static JavaClasses packages(String... names) {
    return new ClassFileImporter()
        .importPackages(Stream.of(names).map(name -> PACKAGE + "." + name).toList());
  }

  /** Compiles classes whose names would mislead, if they stood among the sources. */
  static JavaClasses compiled(Path folder, String... sources) throws IOException {
    var options = Stream.of("-proc:none", "-d", folder.resolve("classes").toString());
    var files = new ArrayList<String>();
    for (var source : sources) {
      files.add(file(folder, source).toString());
    }
    var arguments = Stream.concat(options, files.stream()).toArray(String[]::new);
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
    return new ClassFileImporter().importPath(folder.resolve("classes"));
  }

  private static Path file(Path folder, String source) throws IOException {
    var name = TYPE.matcher(source).results().findFirst().orElseThrow().group(1);
    return Files.writeString(folder.resolve(name + ".java"), source);
  }
}
