package io.leasehold.rest;

import io.leasehold.rest.command.LeaseholdCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The program's entry point. Without a command it serves. */
public final class Main {

  /**
   * Makes Guice generate no classes, which would need JDK internals that are about to be removed.
   */
  private static final Map<String, String> QUIET =
      Map.of(
          "guice_bytecode_gen_option", "DISABLED",
          "guice_include_stack_traces", "OFF",
          "org.jooq.no-logo", "true",
          "org.jooq.no-tips", "true");

  private static final String LOG = "LEASEHOLD_LOG";

  private Main() {}

  /** Exits with 0, or with another code after one message that explains what is wrong. */
  public static void main(String[] args) {
    QUIET.forEach(Main::setUnlessGiven);
    // Any other value would disable the log completely.
    System.setProperty(LOG, "json".equalsIgnoreCase(System.getenv(LOG)) ? "json" : "text");
    var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    System.exit(
        LeaseholdCommand.execute(System.getProperty("leasehold.program", "run"), out, args));
  }

  private static void setUnlessGiven(String name, String value) {
    if (System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }
}
