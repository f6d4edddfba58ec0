package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds blocks that catch everything: {@code Throwable}, {@code Exception}, and {@code Error} where
 * it is not rethrown.
 *
 * <p>The compiler generates a {@code catch (Throwable)} for each try-with-resources, which does not
 * count.
 */
public final class CatchAll {

  private static final Set<String> ALL = Set.of("java.lang.Throwable", "java.lang.Exception");
  private static final String ERROR = "java.lang.Error";

  private CatchAll() {}

  public static Stream<String> in(JavaClass type) {
    return ClassFiles.codeOf(type)
        .flatMap(
            method ->
                CatchBlock.in(method)
                    .filter(CatchAll::isAll)
                    .map(
                        block ->
                            "Method <%s.%s> catches %s in (%s:%d)"
                                .formatted(
                                    type.getName(),
                                    ClassFiles.nameOf(method),
                                    block.caught(),
                                    type.getSourceCodeLocation().getSourceFileName(),
                                    block.line())));
  }

  private static boolean isAll(CatchBlock block) {
    return (block.caught().stream().anyMatch(ALL::contains) && !block.isOfTheCompiler())
        || (block.caught().contains(ERROR) && !block.rethrows());
  }
}
