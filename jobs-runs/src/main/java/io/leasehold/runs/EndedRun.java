package io.leasehold.runs;

import java.nio.file.Path;

/**
 * A run that has ended, before it is removed.
 *
 * @param exitCode what it ended with
 * @param outputs the folder with what it left; links in it are not to be followed
 */
public record EndedRun(int exitCode, Path outputs) {}
