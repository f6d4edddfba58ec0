package io.leasehold.arch.find;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A catch block in a class file.
 *
 * @param caught the types that it catches, such as {@code java.lang.Exception}
 * @param code from the start of the block to the end of the method
 * @param variables the variables that have a name in the source
 */
record CatchBlock(Set<String> caught, List<CodeElement> code, List<LocalVariable> variables) {

  private static final Set<String> CLOSING = Set.of("close", "addSuppressed");
  private static final String NO_CASE = "java/lang/MatchException";

  /** Blocks of {@code finally} catch without a type, rethrow, and are left out. */
  static Stream<CatchBlock> in(CodeModel method) {
    var caught = new LinkedHashMap<Label, Set<String>>();
    for (var entry : method.exceptionHandlers()) {
      typeOf(entry)
          .forEach(it -> caught.computeIfAbsent(entry.handler(), _ -> new TreeSet<>()).add(it));
    }
    return caught.entrySet().stream().map(block -> of(block, method.elementList()));
  }

  private static Stream<String> typeOf(ExceptionCatch entry) {
    return entry.catchType().stream().map(type -> type.asInternalName().replace('/', '.'));
  }

  private static CatchBlock of(Map.Entry<Label, Set<String>> block, List<CodeElement> method) {
    return new CatchBlock(
        block.getValue(),
        from(block.getKey(), method),
        method.stream()
            .filter(LocalVariable.class::isInstance)
            .map(LocalVariable.class::cast)
            .toList());
  }

  private static List<CodeElement> from(Label start, List<CodeElement> method) {
    return method.stream().dropWhile(it -> !isTarget(it, start)).toList();
  }

  private static boolean isTarget(CodeElement element, Label label) {
    return element instanceof LabelTarget target && target.label().equals(label);
  }

  /** The line in the source; 0 if the class file does not contain it. */
  int line() {
    return code.stream()
        .filter(LineNumber.class::isInstance)
        .mapToInt(it -> ((LineNumber) it).line())
        .findFirst()
        .orElse(0);
  }

  /**
   * Whether the compiler generated it: to close a resource, or to report a failed pattern match.
   *
   * <p>A block in the source names its exception.
   */
  boolean isOfTheCompiler() {
    return !namesWhatItCaught()
        && instructions()
            .skip(1)
            .filter(it -> !(it instanceof LoadInstruction) && !(it instanceof BranchInstruction))
            .findFirst()
            .filter(CatchBlock::isOfTheCompiler)
            .isPresent();
  }

  private static boolean isOfTheCompiler(Instruction first) {
    return switch (first) {
      case InvokeInstruction call -> CLOSING.contains(call.name().stringValue());
      case NewObjectInstruction made -> made.className().asInternalName().equals(NO_CASE);
      default -> false;
    };
  }

  // A name is valid from the label between the instruction that stores its value and the next one.
  private boolean namesWhatItCaught() {
    var labels =
        code.stream()
            .dropWhile(it -> !(it instanceof StoreInstruction))
            .skip(1)
            .takeWhile(it -> !(it instanceof Instruction))
            .toList();
    return labels.stream()
        .anyMatch(it -> variables.stream().anyMatch(name -> isTarget(it, name.startScope())));
  }

  /** Whether the exception is rethrown on every path through the block. */
  boolean rethrows() {
    var end = IntStream.range(0, code.size()).filter(this::leaves).findFirst().orElse(0);
    var before = code.subList(0, end).stream().filter(Instruction.class::isInstance).toList();
    return code.get(end) instanceof ThrowInstruction
        && !before.isEmpty()
        && before.getFirst() instanceof StoreInstruction caughtAs
        && before.getLast() instanceof LoadInstruction thrown
        && thrown.slot() == caughtAs.slot()
        && before.stream().allMatch(it -> staysWithin(code.subList(0, end), it));
  }

  private boolean leaves(int i) {
    return switch (code.get(i)) {
      case ThrowInstruction _, ReturnInstruction _ -> true;
      default -> false;
    };
  }

  private static boolean staysWithin(List<CodeElement> block, CodeElement instruction) {
    return !(instruction instanceof BranchInstruction branch)
        || block.stream().anyMatch(it -> isTarget(it, branch.target()));
  }

  private Stream<Instruction> instructions() {
    return code.stream().filter(Instruction.class::isInstance).map(Instruction.class::cast);
  }
}
