package io.leasehold.arch.find;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes a rule of a search: each description that the search gives back breaks the rule. */
public final class SourceFinding extends ArchCondition<JavaClass> {

  private final Function<JavaClass, Stream<String>> search;

  private SourceFinding(String description, Function<JavaClass, Stream<String>> search) {
    super("%s", description);
    this.search = search;
  }

  /**
   * Makes a rule that fails where the search finds something, and where it had no class to look at.
   *
   * @param description what classes should do, as in "make no plain SQL"
   */
  public static ArchRule rule(
      CodePlaces except, String description, Function<JavaClass, Stream<String>> search) {
    return classes()
        .that(except.outside())
        .should(new SourceFinding(description, search))
        .allowEmptyShould(false);
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    search.apply(type).distinct().forEach(found -> events.add(violated(type, found)));
  }
}
