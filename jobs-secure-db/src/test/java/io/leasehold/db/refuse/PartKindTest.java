package io.leasehold.db.refuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PartKindTest {

  @ParameterizedTest
  @MethodSource("namesOfClasses")
  void everyListedClassExists(String name) {
    assertThatCode(() -> Class.forName(name, false, DSL.class.getClassLoader()))
        .doesNotThrowAnyException();
  }

  private static Iterable<String> namesOfClasses() {
    return PartKind.listed().keySet();
  }

  @Test
  void aClassOfAnotherClassLoaderIsUnknown() throws Exception {
    try (var loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      var name = nameMadeBy(loader);

      assertThat(name.getClass().getName()).isEqualTo(DSL.name("a").getClass().getName());
      assertThat(PartKind.of(name)).isEqualTo(PartKind.UNKNOWN);
      assertThat(PartKind.of(DSL.name("a"))).isEqualTo(PartKind.NAME);
    }
  }

  private static Object nameMadeBy(ClassLoader loader) throws ReflectiveOperationException {
    return Class.forName("org.jooq.impl.DSL", true, loader)
        .getMethod("name", String.class)
        .invoke(null, "a");
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(path -> urlOf(new File(path).toURI()))
        .toArray(URL[]::new);
  }

  private static URL urlOf(URI uri) {
    try {
      return uri.toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
