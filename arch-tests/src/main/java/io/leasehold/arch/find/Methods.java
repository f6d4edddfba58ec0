package io.leasehold.arch.find;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the methods of a source file. */
public final class Methods extends TreeScanner<@Nullable Void, ClassTree> {

  /**
   * A method or constructor.
   *
   * @param name its name, including that of its class
   * @param lines from its annotations to its closing brace
   * @param parameters the number of parameters; 0 for a record's constructor, whose parameters are
   *     its components
   */
  public record Method(String name, int lines, int parameters) {}

  private final ParsedFile file;
  private final List<Method> found = new ArrayList<>();

  private Methods(ParsedFile file) {
    this.file = file;
  }

  public static List<Method> in(SourceParser parser, String path, String text) {
    var methods = new Methods(parser.parse(path, text));
    methods.file.tree().getTypeDecls().forEach(type -> methods.scan(type, null));
    return List.copyOf(methods.found);
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, ClassTree outer) {
    return super.visitClass(type, type);
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, ClassTree type) {
    var name = "%s.%s".formatted(type.getSimpleName(), method.getName());
    found.add(new Method(name, file.lines(method), parameters(method, type)));
    return super.visitMethod(method, type);
  }

  private static int parameters(MethodTree method, ClassTree type) {
    var isRecords = type.getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
    return isRecords ? 0 : method.getParameters().size();
  }
}
