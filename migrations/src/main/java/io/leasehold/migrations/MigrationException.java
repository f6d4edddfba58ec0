package io.leasehold.migrations;

import org.jspecify.annotations.Nullable;

/**
 * A database could not be migrated, or its state could not be read. The message says why and what
 * to do.
 *
 * <p>Migrations that the run applied earlier stay applied. The failed migration has left nothing
 * behind, unless its file switches transactions off.
 */
public final class MigrationException extends RuntimeException {

  private static final long serialVersionUID = 1;

  MigrationException(String message) {
    super(message);
  }

  MigrationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
