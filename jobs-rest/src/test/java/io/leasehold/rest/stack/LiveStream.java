package io.leasehold.rest.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** An answer that is read while it comes, line by line, on a thread of its own. */
public final class LiveStream implements AutoCloseable {

  private final HttpResponse<InputStream> response;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final AtomicReference<String> end = new AtomicReference<>("");
  private final Thread reader;

  LiveStream(String path, HttpResponse<InputStream> response) {
    this.response = response;
    this.reader = Thread.ofVirtual().start(() -> read(path));
  }

  /** Its status. */
  public int status() {
    return response.statusCode();
  }

  /** What came so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** What came so far of server-sent events' ids, or of NDJSON's cursors. */
  public List<String> cursors() {
    return lines().stream()
        .filter(line -> line.startsWith("id: ") || line.startsWith("{"))
        .map(line -> line.startsWith("id: ") ? line.substring(4) : cursorOf(line))
        .toList();
  }

  /** What each event says that came so far, and came as a whole. */
  public List<String> events() {
    var events = new ArrayList<String>();
    var id = "";
    var data = "";
    for (var line : lines) {
      if (line.startsWith("id: ")) {
        id = line.substring("id: ".length());
      } else if (line.startsWith("data: ")) {
        data = line.substring("data: ".length());
      } else if (line.isEmpty() && !id.isEmpty()) {
        assertThat(id).isEqualTo(cursorOf(data));
        events.add(data);
        id = "";
      }
    }
    return events;
  }

  /** Empty while it goes on; then "whole" or "cut". */
  public String end() {
    return end.get();
  }

  /** Where an event is in its job's history. */
  public static String cursorOf(String line) {
    return line.replaceFirst(".*?\"cursor\":\"([^\"]*)\".*", "$1");
  }

  private void read(String path) {
    try (var in = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
      ApiDocument.CURRENT.check(
          "GET",
          path,
          new Answer(response.statusCode(), response.headers(), String.join("\n", lines)));
      end.set("whole");
    } catch (IOException e) {
      end.set("cut");
    } catch (AssertionError e) {
      end.set("against the document: " + e.getMessage());
    }
  }

  /** Goes away. */
  @Override
  public void close() {
    try {
      response.body().close();
      reader.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
