package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds static fields that can change, or are not known to be constant: those that are not final,
 * and those whose type is not one of {@link ImmutableTypes}.
 *
 * <p>The type of a collection does not show whether it can change. The collection has to come
 * directly from a method that returns an immutable one, such as {@code List.of}.
 */
public final class MutableStatics {

  private static final Set<String> COLLECTIONS =
      Set.of(
          "java.lang.Iterable",
          "java.util.Collection",
          "java.util.SequencedCollection",
          "java.util.SequencedMap",
          "java.util.SequencedSet",
          "java.util.List",
          "java.util.Set",
          "java.util.Map",
          "java.util.NavigableMap",
          "java.util.NavigableSet",
          "java.util.SortedMap",
          "java.util.SortedSet");

  private static final Pattern MAKER =
      Pattern.compile(
          "java/util/(List|Set|Map)\\.(of|ofEntries|copyOf)"
              + "|java/util/Collections\\.(unmodifiable|empty|singleton|nCopies).*"
              + "|java/util/stream/Collectors\\.toUnmodifiable.*"
              + "|java/util/stream/Stream\\.toList");

  // It returns the result of its collector.
  private static final String COLLECT = "java/util/stream/Stream.collect";

  private MutableStatics() {}

  public static Stream<String> in(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
        .filter(MutableStatics::canChange)
        .map(field -> field.getDescription() + " can change, in " + field.getSourceCodeLocation());
  }

  static boolean isCollection(JavaClass type) {
    return COLLECTIONS.contains(type.getName());
  }

  private static boolean canChange(JavaField field) {
    if (!field.getModifiers().contains(JavaModifier.FINAL)) {
      return true;
    }
    return isCollection(field.getRawType())
        ? ClassFiles.codeOf(field.getOwner()).anyMatch(method -> setsChangeable(method, field))
        : !ImmutableTypes.contain(field.getRawType());
  }

  private static boolean setsChangeable(CodeModel method, JavaField field) {
    var code =
        method.elementList().stream()
            .filter(Instruction.class::isInstance)
            .map(Instruction.class::cast)
            .filter(it -> !(it instanceof TypeCheckInstruction))
            .toList();
    return IntStream.range(0, code.size())
        .filter(i -> sets(code.get(i), field))
        .anyMatch(i -> !makesConstant(code, i - 1));
  }

  private static boolean sets(Instruction instruction, JavaField field) {
    return instruction instanceof FieldInstruction set
        && set.opcode() == Opcode.PUTSTATIC
        && set.name().equalsString(field.getName())
        && set.owner().asInternalName().replace('/', '.').equals(field.getOwner().getName());
  }

  private static boolean makesConstant(List<Instruction> code, int i) {
    if (!(code.get(i) instanceof InvokeInstruction call)) {
      return false;
    }
    var called = call.owner().asInternalName() + "." + call.name().stringValue();
    return called.equals(COLLECT) ? makesConstant(code, i - 1) : MAKER.matcher(called).matches();
  }
}
