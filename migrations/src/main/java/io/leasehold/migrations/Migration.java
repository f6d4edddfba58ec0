package io.leasehold.migrations;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;

/**
 * The result of a run.
 *
 * @param modules the modules in the order in which they were migrated; the platform's own is the
 *     first
 */
public record Migration(List<Module> modules) {

  public Migration {
    modules = List.copyOf(modules);
  }

  /**
   * The result of a run for one module.
   *
   * @param schema the module's schema
   * @param from the version before; empty if the schema was new
   * @param to the version now; empty if the module has no migration at all
   * @param applied the number of applied migrations; 0 if there was nothing to do
   */
  public record Module(String schema, Optional<String> from, Optional<String> to, int applied) {

    private String inWords() {
      var now = schema + " " + to.orElse("without migrations");
      return applied == 0
          ? now + " (nothing to do)"
          : "%s from %s (%d applied)".formatted(now, from.orElse("nothing"), applied);
    }
  }

  /** Returns how many migrations were applied, over all modules. */
  public int applied() {
    return modules.stream().mapToInt(Module::applied).sum();
  }

  /** Returns a summary such as "leasehold 007 from 003 (4 applied), acme 001 (nothing to do)". */
  String inWords() {
    return modules.stream().map(Module::inWords).collect(joining(", "));
  }
}
