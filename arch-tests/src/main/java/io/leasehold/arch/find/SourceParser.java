package io.leasehold.arch.find;

import com.sun.source.util.JavacTask;
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

/** Parses source files with the JDK's own compiler. */
public final class SourceParser {

  private final JavaCompiler javac =
      Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "no compiler");

  // Shared by all files: separate ones would scan the whole class path each time.
  private final JavaFileManager files =
      javac.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  ParsedFile parse(String path, String text) {
    var source = List.of(new Source(path, text));
    var task = (JavacTask) javac.getTask(null, files, null, null, null, source);
    try {
      var tree = task.parse().iterator().next();
      return new ParsedFile(tree, Trees.instance(task).getSourcePositions());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot parse " + path, e);
    }
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
