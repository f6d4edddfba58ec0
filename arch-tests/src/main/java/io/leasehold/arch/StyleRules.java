package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.arch.find.CodePlaces;
import io.leasehold.arch.find.SourceFinding;
import io.leasehold.arch.find.TypeNames;
import io.leasehold.arch.find.Uses;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Rules about how types are named, closed to extension, and given their dependencies.
 *
 * <p>Each rule takes its exemptions: packages, such as {@code com.acme.orders.schema..}, or full
 * class names.
 */
public final class StyleRules {

  private static final List<String> INJECT =
      List.of("jakarta.inject.Inject", "javax.inject.Inject", "com.google.inject.Inject");

  private static final Set<String> NAMED =
      Set.of(
          "jakarta.inject.Named",
          "javax.inject.Named",
          "com.google.inject.name.Named",
          "com.google.inject.name.Names");

  private static final Pattern SETTER = Pattern.compile("set[A-Z].*");

  private StyleRules() {}

  /** No type is a Manager, Helper, Util, Impl, Base, Abstract, Common, Data, Info or Processor. */
  public static ArchRule typeNames(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except), "be named for what they are or do", TypeNames::in);
  }

  /** Classes are final, or declare that they are open: abstract or sealed. */
  public static ArchRule finalClasses(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "be final, abstract or sealed",
        type -> isOpen(type) ? Stream.of(type.getDescription() + " is not final") : Stream.of());
  }

  private static boolean isOpen(JavaClass type) {
    var modifiers = type.getModifiers();
    return !modifiers.contains(JavaModifier.FINAL)
        && !modifiers.contains(JavaModifier.ABSTRACT)
        && !modifiers.contains(JavaModifier.SYNTHETIC)
        && !type.isInterface()
        && !type.isEnum()
        && !type.isSealed()
        && !type.isAnonymousClass()
        && !type.isLocalClass();
  }

  /** Only constructors are injected: a class has all of its dependencies once it exists. */
  public static ArchRule constructorInjection(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "be injected by their constructors",
        type ->
            Stream.<JavaMember>concat(type.getFields().stream(), type.getMethods().stream())
                .filter(member -> INJECT.stream().anyMatch(member::isAnnotatedWith))
                .map(member -> member.getDescription() + " is injected"));
  }

  /**
   * No accessible method is named {@code setX}: a value is complete once it exists, and a different
   * value is a different object.
   *
   * <p>Methods required by an external supertype are allowed.
   */
  public static ArchRule noSetters(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "have no setters",
        type ->
            type.getMethods().stream()
                .filter(method -> SETTER.matcher(method.getName()).matches())
                .filter(method -> !method.getModifiers().contains(JavaModifier.PRIVATE))
                .filter(method -> !isAskedFor(method))
                .map(method -> method.getDescription() + " is a setter"));
  }

  private static boolean isAskedFor(JavaMethod method) {
    var owner = method.getOwner();
    var parameters = HasName.Utils.namesOf(method.getRawParameterTypes()).toArray(String[]::new);
    return Stream.concat(
            owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
        .anyMatch(above -> above.tryGetMethod(method.getName(), parameters).isPresent());
  }

  /** {@code @Named} is not used: the compiler checks a custom annotation. */
  public static ArchRule noNamed(String... except) {
    return SourceFinding.rule(
        CodePlaces.of(except),
        "use no @Named",
        type -> Uses.in(type, used -> NAMED.contains(used.getName())));
  }
}
