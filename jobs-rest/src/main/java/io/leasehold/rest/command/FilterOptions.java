package io.leasehold.rest.command;

import io.leasehold.rest.client.Call;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that select the jobs to list. */
final class FilterOptions {

  @Option(names = "--handler", paramLabel = "ID", description = "Only jobs of this handler.")
  private Optional<String> handler = Optional.empty();

  @Option(names = "--queue", description = "Only jobs of this queue.")
  private Optional<String> queue = Optional.empty();

  @Option(
      names = "--status",
      description = "Only queued, running, succeeded, failed, timed_out or cancelled ones.")
  private Optional<String> status = Optional.empty();

  @Option(
      names = "--correlation-id",
      paramLabel = "ID",
      description = "Only jobs that were submitted with it.")
  private Optional<String> correlationId = Optional.empty();

  @Option(
      names = "--created-after",
      paramLabel = "TIME",
      description = "Only jobs made then or later, as in 2026-11-19T08:00:00Z.")
  private Optional<String> createdAfter = Optional.empty();

  @Option(
      names = "--created-before",
      paramLabel = "TIME",
      description = "Only jobs made before then.")
  private Optional<String> createdBefore = Optional.empty();

  @Option(names = "--cursor", description = "Continue after the page before.")
  private Optional<String> cursor = Optional.empty();

  @Option(names = "--limit", description = "The most jobs to list, 1 to 200. Default: 50.")
  private Optional<String> limit = Optional.empty();

  Call call() {
    return Call.get("jobs")
        .with("handler", handler)
        .with("queue", queue)
        .with("status", status)
        .with("correlation_id", correlationId)
        .with("created_after", createdAfter)
        .with("created_before", createdBefore)
        .with("cursor", cursor)
        .with("limit", limit);
  }
}
