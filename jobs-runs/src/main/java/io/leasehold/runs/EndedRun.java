package io.leasehold.runs;

import java.nio.file.Path;

/**
 * A run that has ended and is not yet removed.
 *
 * @param exitCode its exit code
 * @param outputs the folder of its outputs; do not follow links in it
 */
public record EndedRun(int exitCode, Path outputs) {}
