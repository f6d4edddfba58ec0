package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.util.stream.Stream;

/** Reads the instructions of classes, whose order ArchUnit omits. */
final class ClassFiles {

  private ClassFiles() {}

  /**
   * Returns the methods that have code; empty if the class was defined at run time and has no file.
   */
  static Stream<CodeModel> codeOf(JavaClass type) {
    return type.getSource().stream()
        .map(ClassFiles::read)
        .flatMap(bytes -> ClassFile.of().parse(bytes).methods().stream())
        .flatMap(method -> method.code().stream());
  }

  static String nameOf(CodeModel code) {
    return code.parent().map(MethodModel::methodName).map(Object::toString).orElse("?");
  }

  private static byte[] read(Source source) {
    try (var bytes = source.getUri().toURL().openStream()) {
      return bytes.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + source.getUri(), e);
    }
  }
}
