package io.leasehold.arch.find;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.SourcePositions;

/**
 * A source file, as parsed by a {@link SourceParser}.
 *
 * @param tree the syntax tree
 * @param positions the positions of the tree's nodes
 */
record ParsedFile(CompilationUnitTree tree, SourcePositions positions) {

  int firstLine(Tree part) {
    return line(positions.getStartPosition(tree, part));
  }

  int lines(Tree part) {
    return line(positions.getEndPosition(tree, part)) - firstLine(part) + 1;
  }

  private int line(long position) {
    return Math.toIntExact(tree.getLineMap().getLineNumber(position));
  }
}
