package io.leasehold.rest.command;

import io.leasehold.rest.settings.Sources;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The command-line options of serving; everything else is a setting. */
final class ServeOptions {

  @Option(
      names = "--roles",
      paramLabel = "ROLE,…",
      description = "What this process does: api, worker, maintenance. Default: all.")
  private Optional<String> roles = Optional.empty();

  @Option(
      names = "--host",
      description = "The address to listen on. Default: 127.0.0.1; 0.0.0.0 for all.")
  private Optional<String> host = Optional.empty();

  @Option(names = "--port", description = "The port; 0 for any that is free. Default: 8080.")
  private Optional<String> port = Optional.empty();

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description =
          "A file that is there while the program is ready: its url, tokens, pid and jdbcUrl.")
  private Optional<String> readyFile = Optional.empty();

  @Option(
      names = "--demo",
      negatable = true,
      description =
          "Demonstration handlers, tenants and jobs. Default: with a database of its own only.")
  private Optional<Boolean> demo = Optional.empty();

  @Option(
      names = "--dev-issuer",
      negatable = true,
      description =
          "Accept tokens of the development issuer; anyone with its key can make them for any"
              + " tenant. Default: only with the demonstration on a database of its own.")
  private Optional<Boolean> devIssuer = Optional.empty();

  void putInto(Map<String, Sources.Option> options) {
    put(options, "leasehold.roles", "--roles", roles);
    put(options, "leasehold.rest.host", "--host", host);
    put(options, "leasehold.rest.port", "--port", port);
    put(options, "leasehold.ready-file", "--ready-file", readyFile);
    put(options, "leasehold.demo", "--demo", demo.map(String::valueOf));
    put(options, "leasehold.dev-issuer", "--dev-issuer", devIssuer.map(String::valueOf));
  }

  static void put(
      Map<String, Sources.Option> options, String key, String name, Optional<String> text) {
    text.ifPresent(it -> options.put(key, new Sources.Option(name, it)));
  }
}
