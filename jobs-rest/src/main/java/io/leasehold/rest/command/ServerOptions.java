package io.leasehold.rest.command;

import io.leasehold.rest.client.JobsServer;
import io.leasehold.rest.program.AllSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that name the server, the caller and the output format. */
final class ServerOptions {

  private static final String URL = "LEASEHOLD_URL";
  private static final String TOKEN = "LEASEHOLD_TOKEN";

  @Option(
      names = "--url",
      description =
          "The server. Default: LEASEHOLD_URL, or this machine's as it is set by"
              + " LEASEHOLD_REST_HOST and LEASEHOLD_REST_PORT, or in the file of LEASEHOLD_CONFIG.")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the token, and nothing else. Default: the token that LEASEHOLD_TOKEN is."
              + " There is no option for a token itself: others see the command line.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(names = "--json", description = "Show the answer as the server gave it.")
  private boolean json;

  boolean isJson() {
    return json;
  }

  JobsServer open() {
    return new JobsServer(address(), token());
  }

  /** Opens a connection without a token, for resources that need none. */
  JobsServer openAsNobody() {
    return new JobsServer(address(), "");
  }

  private URI address() {
    var given =
        url.or(() -> Optional.ofNullable(System.getenv(URL)))
            .orElseGet(() -> AllSettings.ownUrl(SettingsOptions.surroundings()));
    try {
      return new URI(given);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the server must be given as http://host:port, not '%s'".formatted(given), e);
    }
  }

  private String token() {
    return tokenFile
        .map(ServerOptions::read)
        .or(() -> Optional.ofNullable(System.getenv(TOKEN)))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a token is needed: in LEASEHOLD_TOKEN, or in a file with --token-file"))
        .strip();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the token file " + file, e);
    }
  }
}
