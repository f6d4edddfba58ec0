package io.leasehold.downloads.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's response: a file, the rest of a file, or neither. Confined to one thread. */
public final class Answer implements Closeable {

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)");

  private final Socket socket;
  private final Head head;
  private final OptionalLong length;
  private final Body body;

  Answer(Socket socket, Head head, OptionalLong length, Body body) {
    this.socket = socket;
    this.head = head;
    this.length = length;
    this.body = body;
  }

  /** The HTTP status. */
  public int status() {
    return head.status();
  }

  /** The body of the response. */
  public Body body() {
    return body;
  }

  /** The length of the body in bytes, if the server reports it. */
  public OptionalLong length() {
    return length;
  }

  /** The part of the file that the body contains, if the server reports it. */
  public Optional<Part> part() {
    return head.header("content-range")
        .map(CONTENT_RANGE::matcher)
        .filter(Matcher::matches)
        .map(
            match ->
                new Part(
                    Long.parseLong(match.group(1)),
                    match.group(3).equals("*")
                        ? OptionalLong.empty()
                        : OptionalLong.of(Long.parseLong(match.group(3)))));
  }

  /**
   * The strong validator of this version of the file, which identifies it to the byte; empty if
   * there is none.
   */
  public Optional<String> validator() {
    return Validators.strongOf(head);
  }

  /** Whether the server reports another version than the one with this validator. */
  public boolean isOtherThan(String validator) {
    var header = validator.startsWith("\"") ? "etag" : "last-modified";
    return head.header(header).filter(current -> !current.equals(validator)).isPresent();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /**
   * A part of a file.
   *
   * @param first the offset of the first byte
   * @param total the size of the whole file in bytes, if the server reports it
   */
  public record Part(long first, OptionalLong total) {}
}
