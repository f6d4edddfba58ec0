package io.leasehold.rest.settings;

import java.util.List;

/** Reports everything that is wrong with the settings. */
public final class WrongSettings extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  WrongSettings(List<String> problems) {
    super(inWords(problems));
    this.problems = List.copyOf(problems);
  }

  WrongSettings(String problem, Exception cause) {
    super(problem, cause);
    this.problems = List.of(problem);
  }

  List<String> problems() {
    return problems;
  }

  private static String inWords(List<String> problems) {
    return problems.size() == 1
        ? problems.getFirst()
        : "%d settings are wrong:\n- %s".formatted(problems.size(), String.join("\n- ", problems));
  }
}
