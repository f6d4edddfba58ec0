package io.leasehold.rest.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JobTextsTest {

  @Test
  void showAPageInColumns() {
    var page =
        json(
            """
            {"jobs": [
              {"job_id": "1", "status": "running", "handler_id": "gts.x~acme.a.b.c.v1",
               "queue": "reports", "attempts": 1, "max_attempts": 3,
               "progress": {"percent": 40, "note": "summing up"}, "created_at": "now"},
              {"job_id": "22", "status": "queued", "handler_id": "gts.x~acme.a.b.c.v1",
               "queue": "q", "attempts": 0, "max_attempts": 3, "created_at": "then"}],
             "next": "abc"}
            """);

    assertThat(JobTexts.page(page))
        .containsExactly(
            "JOB  STATUS   HANDLER              QUEUE    ATTEMPTS  PROGRESS         CREATED",
            "1    running  gts.x~acme.a.b.c.v1  reports  1/3       40 % summing up  now",
            "22   queued   gts.x~acme.a.b.c.v1  q        0/3                        then",
            "more with --cursor abc");
  }

  @Test
  void showAJobLineByLine() {
    assertThat(
            JobTexts.job(
                json(
                    """
                    {"job_id": "1", "status": "failed", "last_error": "it\\u001b[31m broke\\u202e\\u2028!"}
                    """)))
        .containsExactly(
            "job_id          1", "status          failed", "last_error      it [31m broke !");
  }

  @Test
  void showAnEventOnOneLine() {
    assertThat(
            JobTexts.event(
                json(
                    """
                    {"cursor": "1.2", "at": "now", "attempt": 1, "kind": "log", "body": {"a": 1}}
                    """)))
        .startsWith("1.2 ")
        .contains(" now ", " 1 ", " log ")
        .endsWith("{\"a\":1}");
  }

  private static JsonNode json(String text) {
    return JsonMapper.builder().build().readTree(text);
  }
}
