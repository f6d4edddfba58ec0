package io.leasehold.embedded;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files and folders for the user of this process only, whatever the umask is, and narrows
 * the rights of existing ones. The server runs as the same user. If that user is root, the server
 * runs in a user namespace, in which the files still belong to it.
 */
final class OwnerOnly {

  private static final Logger log = LoggerFactory.getLogger(OwnerOnly.class);

  private static final String FOLDER = "rwx------";
  private static final String FILE = "rw-------";

  /** Set on a folder that all users share, such as /tmp. */
  private static final int STICKY = 01000;

  private OwnerOnly() {}

  /** Creates a folder and its missing parents, unless it exists. */
  static Path folder(Path folder) throws IOException {
    Files.createDirectories(folder, asFileAttribute(fromString(FOLDER)));
    if (((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0) {
      log.warn("the data folder {} is shared with other users: give the program its own", folder);
    } else {
      narrow(folder, FOLDER);
    }
    return folder;
  }

  /** Creates an empty file, unless it exists. */
  static Path file(Path file) throws IOException {
    try {
      Files.createFile(file, asFileAttribute(fromString(FILE)));
    } catch (FileAlreadyExistsException e) {
      // A log may be a link to a device, whose rights must not be changed.
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        narrow(file, FILE);
      }
    }
    return file;
  }

  // A volume may belong to another user who gives this one access. The files in it are narrow
  // anyway.
  private static void narrow(Path path, String allowed) throws IOException {
    var rights = fromString(allowed);
    if (Files.getPosixFilePermissions(path).equals(rights)) {
      return;
    }
    try {
      Files.setPosixFilePermissions(path, rights);
    } catch (FileSystemException e) {
      log.warn(
          "the rights of {} stay as they are, it belongs to another user: {}", path, e.toString());
    }
  }
}
