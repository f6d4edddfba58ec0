package io.leasehold.rest.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SentEventsTest {

  @Test
  void haveAnIdANameAndAText() throws Exception {
    assertThat(read("id: 1.2\nevent: started\ndata: {\"a\":1}\n\n"))
        .containsExactly(new ReceivedEvent("1.2", "started", "{\"a\":1}"));
  }

  @Test
  void areReadInOrder() throws Exception {
    assertThat(read(": hello\n\nid: 1\ndata: one\n\n: alive\n\ndata: two\n\n"))
        .containsExactly(
            new ReceivedEvent("1", "message", "one"), new ReceivedEvent("1", "message", "two"));
  }

  @Test
  void mayHaveSeveralLines() throws Exception {
    assertThat(read("data: one\r\ndata:two\r\n\r\n"))
        .containsExactly(new ReceivedEvent("", "message", "one\ntwo"));
  }

  @Test
  void areIgnoredIfIncomplete() throws Exception {
    assertThat(read("id: 1\ndata: one\n\nid: 2\ndata: tw"))
        .containsExactly(new ReceivedEvent("1", "message", "one"));
  }

  private static List<ReceivedEvent> read(String text) throws IOException {
    var events = new SentEvents(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    var all = new ArrayList<ReceivedEvent>();
    for (var next = events.next(); next.isPresent(); next = events.next()) {
      all.add(next.get());
    }
    return all;
  }
}
