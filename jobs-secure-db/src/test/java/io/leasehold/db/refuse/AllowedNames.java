package io.leasehold.db.refuse;

/** The names of functions that statements of tenants may call, for tests of other packages. */
public final class AllowedNames {

  private AllowedNames() {}

  public static boolean allows(String function) {
    return AllowedFunctions.allowed().contains(function);
  }
}
