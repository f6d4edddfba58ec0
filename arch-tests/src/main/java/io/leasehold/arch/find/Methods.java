package io.leasehold.arch.find;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Measures the methods of a source file, which the JDK's own compiler parses. */
public final class Methods extends TreeScanner<@Nullable Void, ClassTree> {

  /**
   * A method or constructor.
   *
   * @param name with the name of its class
   * @param lines from its annotations to its closing brace
   * @param parameters how many; none for a record's constructor, whose parameters are its parts
   */
  public record Method(String name, int lines, int parameters) {}

  private final CompilationUnitTree file;
  private final SourcePositions positions;
  private final List<Method> found = new ArrayList<>();

  private Methods(CompilationUnitTree file, SourcePositions positions) {
    this.file = file;
    this.positions = positions;
  }

  public static List<Method> in(String path, String text) {
    var javac = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler");
    var source = List.of(new Source(path, text));
    var task = (JavacTask) javac.getTask(null, null, null, null, null, source);
    try {
      var file = task.parse().iterator().next();
      var methods = new Methods(file, Trees.instance(task).getSourcePositions());
      file.getTypeDecls().forEach(type -> methods.scan(type, null));
      return List.copyOf(methods.found);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot parse " + path, e);
    }
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, ClassTree outer) {
    return super.visitClass(type, type);
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, ClassTree type) {
    var name = "%s.%s".formatted(type.getSimpleName(), method.getName());
    found.add(new Method(name, lines(method), parameters(method, type)));
    return super.visitMethod(method, type);
  }

  private int lines(MethodTree method) {
    var map = file.getLineMap();
    var first = map.getLineNumber(positions.getStartPosition(file, method));
    var last = map.getLineNumber(positions.getEndPosition(file, method));
    return Math.toIntExact(last - first + 1);
  }

  private static int parameters(MethodTree method, ClassTree type) {
    var isRecords = type.getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
    return isRecords ? 0 : method.getParameters().size();
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String path, String text) {
      super(URI.create("string:///" + path.replace('\\', '/')), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
