package io.leasehold.arch.find;

import com.sun.source.tree.CatchTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds catch blocks of a source file that contain no statement; a comment does not count. */
public final class EmptyCatches extends TreeScanner<@Nullable Void, List<CatchTree>> {

  private EmptyCatches() {}

  /** Returns the lines where they begin. */
  public static List<Integer> in(SourceParser parser, String path, String text) {
    var file = parser.parse(path, text);
    var found = new ArrayList<CatchTree>();
    new EmptyCatches().scan(file.tree(), found);
    return found.stream().map(file::firstLine).toList();
  }

  @Override
  public @Nullable Void visitCatch(CatchTree block, List<CatchTree> found) {
    if (block.getBlock().getStatements().isEmpty()) {
      found.add(block);
    }
    return super.visitCatch(block, found);
  }
}
