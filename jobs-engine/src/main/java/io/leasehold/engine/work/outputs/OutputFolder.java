package io.leasehold.engine.work.outputs;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.OutputStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Stores files in a folder that processes share, with a folder per tenant, and in it one per job.
 * Safe for concurrent use by threads and processes.
 */
public final class OutputFolder implements OutputStore {

  private static final int TRIES = 5;

  private final Path root;

  /** Uses this folder, which is created together with the first file. */
  public OutputFolder(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  @Override
  public NewFile create(TenantId tenant, JobId job, String file) throws IOException {
    var folder = folder(tenant, job);
    for (var tries = 1; ; tries++) {
      makeFolders(folder);
      try {
        return new Growing(folder, FileChannel.open(folder.resolve(file), CREATE_NEW, WRITE));
      } catch (NoSuchFileException e) {
        if (tries == TRIES) { // The reason is not that the sweep removed an empty folder.
          throw e;
        }
      }
    }
  }

  @Override
  public InputStream open(TenantId tenant, JobId job, String file) throws IOException {
    return Files.newInputStream(folder(tenant, job).resolve(file));
  }

  @Override
  public long length(TenantId tenant, JobId job, String file) throws IOException {
    return Files.size(folder(tenant, job).resolve(file));
  }

  @Override
  public void remove(TenantId tenant, JobId job, Set<String> files) throws IOException {
    var folder = folder(tenant, job);
    for (var file : files) {
      Files.deleteIfExists(folder.resolve(file));
    }
    removeIfEmpty(folder);
  }

  @Override
  public void visit(Visitor visitor) throws IOException {
    for (var tenant : uuids(root)) { // Folders of other programs may not be readable.
      var folder = root.resolve(tenant);
      for (var job : uuids(folder)) {
        visitor.job(TenantId.of(tenant), JobId.of(job), names(folder.resolve(job)));
      }
    }
  }

  private Path folder(TenantId tenant, JobId job) {
    return root.resolve(tenant.toString()).resolve(job.toString());
  }

  /** Accessible only to the owner, if the file system supports owners. */
  private void makeFolders(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      if (root.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        var own = PosixFilePermissions.fromString("rwx------");
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(own));
      } else {
        Files.createDirectories(folder);
      }
    }
  }

  private static List<String> names(Path folder) throws IOException {
    var names = new ArrayList<String>();
    try (var all = Files.newDirectoryStream(folder)) {
      all.forEach(path -> names.add(path.getFileName().toString()));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of(); // It is gone, or is not one of ours.
    }
    return names;
  }

  private static List<String> uuids(Path folder) throws IOException {
    return names(folder).stream().filter(OutputFolder::isUuid).toList();
  }

  private static boolean isUuid(String name) {
    try {
      return UUID.fromString(name).toString().equals(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      return; // Another writer has files in it.
    }
  }

  /** A file being written. */
  private final class Growing implements NewFile {

    private final Path folder;
    private final FileChannel channel;
    private boolean isEntered;

    private Growing(Path folder, FileChannel channel) {
      this.folder = folder;
      this.channel = channel;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      var buffer = ByteBuffer.wrap(bytes, offset, count);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    // A file is lost if its directory entry is lost. The first sync therefore also syncs the
    // folders above.
    @Override
    public void sync() throws IOException {
      channel.force(true);
      if (!isEntered) {
        sync(folder);
        sync(root.resolve(root.relativize(folder).getName(0)));
        sync(root);
        isEntered = true;
      }
    }

    private static void sync(Path folder) throws IOException {
      try (var entries = FileChannel.open(folder, READ)) {
        entries.force(true);
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
