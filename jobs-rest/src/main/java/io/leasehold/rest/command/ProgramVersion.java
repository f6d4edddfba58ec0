package io.leasehold.rest.command;

import java.io.IOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}: the version set by the build. */
final class ProgramVersion implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    var properties = new Properties();
    try (var in =
        ProgramVersion.class.getResourceAsStream("/io/leasehold/rest/program.properties")) {
      properties.load(Objects.requireNonNull(in));
    }
    return new String[] {"leasehold " + properties.getProperty("version")};
  }
}
