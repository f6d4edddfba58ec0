package io.leasehold.arch.find;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A source file, parsed by the JDK's own compiler.
 *
 * @param tree what it holds
 * @param positions where that stands
 */
record ParsedFile(CompilationUnitTree tree, SourcePositions positions) {

  private static final JavaCompiler JAVAC =
      Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler");

  // One for all: each of its own would look through the whole class path anew.
  private static final JavaFileManager FILES =
      JAVAC.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  static ParsedFile of(String path, String text) {
    var source = List.of(new Source(path, text));
    var task = (JavacTask) JAVAC.getTask(null, FILES, null, null, null, source);
    try {
      var tree = task.parse().iterator().next();
      return new ParsedFile(tree, Trees.instance(task).getSourcePositions());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot parse " + path, e);
    }
  }

  int firstLine(Tree part) {
    return line(positions.getStartPosition(tree, part));
  }

  int lines(Tree part) {
    return line(positions.getEndPosition(tree, part)) - firstLine(part) + 1;
  }

  private int line(long position) {
    return Math.toIntExact(tree.getLineMap().getLineNumber(position));
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
