package io.leasehold.plans.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of a server, in a file among its data that is rewritten before each start.
 *
 * @param given the configured settings, which override the defaults
 */
public record ServerSettings(Map<String, String> given) {

  private static final String FILE = "leasehold.conf";

  /** The data need not survive a power failure; snapshots do, because they are synced to disk. */
  private static final Map<String, String> OURS =
      Map.of(
          "fsync", "off",
          "listen_addresses", "",
          "max_connections", "20",
          "shared_buffers", "32MB",
          "unix_socket_permissions", "0700");

  /** Makes newly created data include the settings file. */
  public static void prepare(Path data) throws IOException {
    Files.writeString(
        data.resolve("postgresql.conf"),
        "include_if_exists = '%s'\n".formatted(FILE),
        StandardOpenOption.APPEND);
  }

  /** Writes the settings file. */
  public void write(ServerFolder folder) throws IOException {
    var all = new TreeMap<>(OURS);
    all.putAll(given);
    all.put("unix_socket_directories", "\"" + folder.sockets() + "\"");
    List<String> lines =
        all.entrySet().stream()
            .map(
                setting ->
                    "%s = '%s'".formatted(setting.getKey(), setting.getValue().replace("'", "''")))
            .toList();
    Files.write(folder.data().resolve(FILE), lines);
  }
}
