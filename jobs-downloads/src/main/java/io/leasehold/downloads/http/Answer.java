package io.leasehold.downloads.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What a server answered: a file, the rest of one, or neither. Belongs to one thread. */
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

  /** Its status. */
  public int status() {
    return head.status();
  }

  /** What follows. */
  public Body body() {
    return body;
  }

  /** How many bytes follow, if that is told. */
  public OptionalLong length() {
    return length;
  }

  /** Which part of a file follows, if that is told. */
  public Optional<Part> part() {
    return head.header("content-range")
        .map(CONTENT_RANGE::matcher)
        .filter(its -> its.matches())
        .map(
            its ->
                new Part(
                    Long.parseLong(its.group(1)),
                    its.group(3).equals("*")
                        ? OptionalLong.empty()
                        : OptionalLong.of(Long.parseLong(its.group(3)))));
  }

  /** What tells this version of the file from others, to the byte; nothing if there is no such. */
  public Optional<String> validator() {
    return Validators.strongOf(head);
  }

  /** Whether it says that it is another version than the one with this validator. */
  public boolean isOtherThan(String validator) {
    var header = validator.startsWith("\"") ? "etag" : "last-modified";
    return head.header(header).filter(its -> !its.equals(validator)).isPresent();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /**
   * A part of a file.
   *
   * @param first its first byte
   * @param total how many bytes the whole has, if that is told
   */
  public record Part(long first, OptionalLong total) {}
}
