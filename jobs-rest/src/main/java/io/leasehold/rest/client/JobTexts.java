package io.leasehold.rest.client;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Formats the server's data about jobs for people. */
public final class JobTexts {

  private static final List<String> FIELDS =
      List.of(
          "job_id",
          "tenant_id",
          "handler_id",
          "status",
          "queue",
          "priority",
          "attempts",
          "max_attempts",
          "correlation_id",
          "created_at",
          "available_at",
          "started_at",
          "finished_at",
          "updated_at",
          "last_error");

  private JobTexts() {}

  /** Formats a page of jobs. */
  public static List<String> page(JsonNode page) {
    var table =
        new TextTable("JOB", "STATUS", "HANDLER", "QUEUE", "ATTEMPTS", "PROGRESS", "CREATED");
    page.path("jobs")
        .forEach(
            job ->
                table.add(
                    text(job, "job_id"),
                    text(job, "status"),
                    text(job, "handler_id"),
                    text(job, "queue"),
                    text(job, "attempts") + "/" + text(job, "max_attempts"),
                    progress(job),
                    text(job, "created_at")));
    var next = text(page, "next");
    return next.isEmpty()
        ? table.lines()
        : Stream.concat(table.lines().stream(), Stream.of("more with --cursor " + next)).toList();
  }

  /** Formats one job in full. */
  public static List<String> job(JsonNode job) {
    return Stream.concat(
            FIELDS.stream()
                .filter(field -> !text(job, field).isEmpty())
                .map(field -> "%-16s%s".formatted(field, TextTable.onOneLine(text(job, field)))),
            Stream.of(progress(job))
                .filter(it -> !it.isEmpty())
                .map(it -> "%-16s%s".formatted("progress", TextTable.onOneLine(it))))
        .toList();
  }

  /** Formats one event. */
  public static String event(JsonNode event) {
    return TextTable.onOneLine(
        "%-14s%-29s%-4s%-18s%s"
            .formatted(
                text(event, "cursor"),
                text(event, "at"),
                text(event, "attempt"),
                text(event, "kind"),
                event.path("body").isMissingNode() ? "" : event.path("body"))
            .stripTrailing());
  }

  /** Formats the registered handlers. */
  public static List<String> handlers(JsonNode page) {
    var table = new TextTable("HANDLER", "QUEUE", "LIVE");
    page.path("handlers")
        .forEach(
            it ->
                table.add(
                    text(it, "handler_id"),
                    text(it, "queue"),
                    it.path("live").asBoolean(false) ? "yes" : "no"));
    return table.lines();
  }

  private static String progress(JsonNode job) {
    var progress = job.path("progress");
    return progress.isObject()
        ? "%s %% %s".formatted(text(progress, "percent"), text(progress, "note")).strip()
        : "";
  }

  private static String text(JsonNode node, String field) {
    var value = node.path(field);
    return value.isMissingNode() || value.isNull() ? "" : value.asString();
  }
}
