package io.leasehold.migrations;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;

/**
 * What a run did.
 *
 * @param modules in the order in which they were migrated; the platform's own is the first
 */
public record Migration(List<Module> modules) {

  public Migration {
    modules = List.copyOf(modules);
  }

  /**
   * What a run did for one module.
   *
   * @param schema the module's
   * @param from the version before; none if the schema was new
   * @param to the version now; none if the module has no migration at all
   * @param applied how many migrations that took; 0 if there was nothing to do
   */
  public record Module(String schema, Optional<String> from, Optional<String> to, int applied) {

    private String inWords() {
      var now = schema + " " + to.orElse("without migrations");
      return applied == 0
          ? now + " (nothing to do)"
          : "%s from %s (%d applied)".formatted(now, from.orElse("nothing"), applied);
    }
  }

  /** How many migrations were applied, over all modules. */
  public int applied() {
    return modules.stream().mapToInt(Module::applied).sum();
  }

  /** As in "leasehold 007 from 003 (4 applied), acme 001 (nothing to do)". */
  String inWords() {
    return modules.stream().map(Module::inWords).collect(joining(", "));
  }
}
