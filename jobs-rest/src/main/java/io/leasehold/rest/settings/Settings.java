package io.leasehold.rest.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads settings, and collects all errors before it fails. Confined to the thread that reads. */
public final class Settings {

  private static final String PREFIX = Setting.variable(Setting.ROOT) + "_";
  private static final Pattern COMPONENT = Pattern.compile("^[a-zA-Z]+ (?=must )");
  private static final Pattern SEEN = Pattern.compile(", not .*", Pattern.DOTALL);

  /**
   * A variable with up to this many typos is taken for one of ours; with more, for another
   * program's.
   */
  private static final int SLIPS = 2;

  private final Sources sources;
  private final Set<String> otherVariables;
  private final Set<String> known = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * Reads the settings from these sources.
   *
   * @param otherVariables known variables that are not settings
   */
  public Settings(Sources sources, Set<String> otherVariables) {
    this.sources = sources;
    this.otherVariables = Set.copyOf(otherVariables);
  }

  /** Applies the given and valid settings to a configuration. */
  public <C> C applied(C defaults, List<? extends Setting<C, ?>> settings) {
    var config = defaults;
    for (var setting : settings) {
      known.add(setting.key());
      var value = sources.find(setting);
      if (value.isPresent()) {
        config = applied(config, setting, value.get());
      }
    }
    return config;
  }

  private <C> C applied(C config, Setting<C, ?> setting, Value value) {
    try {
      return setting.applied(config, value);
    } catch (WrongSettings e) {
      problems.addAll(e.problems());
    } catch (IllegalArgumentException e) {
      problems.add(inWords(setting, value, Objects.requireNonNullElse(e.getMessage(), "is wrong")));
    }
    return config;
  }

  private static String inWords(Setting<?, ?> setting, Value value, String message) {
    var rule = DurationSettings.inWords(COMPONENT.matcher(message).replaceFirst(""));
    var told = setting.secret() ? SEEN.matcher(rule).replaceFirst("") : rule;
    return told.startsWith("must ")
        ? "%s %s (%s)".formatted(value.name(), told, value.where())
        : "%s (%s, %s)".formatted(told, value.name(), value.where());
  }

  /** Adds an error about something other than a setting. */
  public void refuse(String problem) {
    problems.add(problem);
  }

  /**
   * Ends the reading.
   *
   * @throws WrongSettings with all errors, including unknown settings
   */
  public void requireRight() {
    refuseUnknownKeys("", sources.file().root());
    sources.environment().keySet().stream().sorted().forEach(this::refuseMisspelled);
    if (!problems.isEmpty()) {
      throw new WrongSettings(problems);
    }
  }

  private void refuseUnknownKeys(String folder, ConfigObject object) {
    object.forEach(
        (name, value) -> {
          var key = folder + ConfigUtil.joinPath(name);
          if (known.contains(key)) {
            return;
          }
          if (value instanceof ConfigObject inner && isFolder(key)) {
            refuseUnknownKeys(key + ".", inner);
          } else {
            problems.add(
                "there is no setting %s (%s)%s"
                    .formatted(key, value.origin().description(), suggestion(known, key)));
          }
        });
  }

  private boolean isFolder(String key) {
    return known.stream().anyMatch(it -> it.startsWith(key + "."));
  }

  /**
   * A variable that resembles one of ours is a typo. Others are ignored: if a Kubernetes service is
   * called leasehold, its containers have several generated variables.
   */
  private void refuseMisspelled(String variable) {
    if (!variable.startsWith(PREFIX) || otherVariables.contains(variable)) {
      return;
    }
    var variables = new HashSet<String>();
    known.forEach(it -> variables.add(Setting.variable(it)));
    if (variables.contains(variable)) {
      return;
    }
    Spelling.nearest(variables, variable, SLIPS)
        .ifPresent(
            it ->
                problems.add(
                    "there is no setting %s (in the environment): is it %s?"
                        .formatted(variable, it)));
  }

  private static String suggestion(Set<String> known, String key) {
    Optional<String> nearest = Spelling.nearest(known, key, Math.max(3, key.length() / 3));
    return nearest.map(": is it %s?"::formatted).orElse("");
  }
}
