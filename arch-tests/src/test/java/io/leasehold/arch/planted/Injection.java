package io.leasehold.arch.planted;

import com.google.inject.name.Names;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.jspecify.annotations.Nullable;

/** Ways in which a class is given what it needs. */
@SuppressWarnings("UnusedVariable")
public final class Injection {

  private Injection() {}

  public static final class ByField {
    @Inject @Nullable String url;
  }

  public static final class ByGuicesField {
    @com.google.inject.Inject @Nullable String url;
  }

  public static final class ByMethod {
    @Inject
    void use(String url) {}
  }

  public static final class ByName {
    @Inject
    ByName(@Named("url") String url) {}
  }

  public static final class NamesIt {
    Object name() {
      return Names.named("url");
    }
  }

  /** The clean twin. */
  public static final class ByConstructor {
    @Inject
    ByConstructor(String url) {}
  }
}
