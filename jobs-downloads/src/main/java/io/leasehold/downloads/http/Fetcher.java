package io.leasehold.downloads.http;

import io.leasehold.downloads.address.AllowedAddresses;
import io.leasehold.jobs.PermanentFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;

/**
 * Fetches files over HTTP/1.1, with one request per connection. Follows redirects, and checks the
 * address of each. Safe to share between threads.
 */
public final class Fetcher {

  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final int BUFFER = 64 << 10;

  private final Dial dial;
  private final int redirectsMost;

  /**
   * Creates a fetcher that contacts only allowed addresses and enforces the rate, for redirects
   * too.
   */
  public Fetcher(
      AllowedAddresses allowed, SSLSocketFactory tls, TransferRate pace, int redirectsMost) {
    this.dial = new Dial(allowed, tls, pace);
    this.redirectsMost = redirectsMost;
  }

  /**
   * The rest of a file, if the file has not changed.
   *
   * @param from the first missing byte
   * @param validator the validator of the version that the other bytes belong to
   */
  public record Rest(long from, String validator) {}

  /**
   * Fetches a file.
   *
   * @param rest the part to fetch; empty for the whole file
   * @throws PermanentFailure if it is pointless to try again
   * @throws IOException if trying again may help
   */
  public Answer get(Target target, Optional<Rest> rest) throws IOException {
    var next = target;
    for (var redirects = 0; redirects <= redirectsMost; redirects++) {
      var answer = ask(next, rest);
      var location = locationOf(answer);
      if (location.isEmpty()) {
        return answer.answer();
      }
      answer.answer().close();
      next = redirected(next, location.get());
    }
    throw new PermanentFailure(
        "%s redirects more than %d times".formatted(target.shown(), redirectsMost));
  }

  private static Optional<String> locationOf(Asked asked) {
    return REDIRECTS.contains(asked.head().status())
        ? asked.head().header("location")
        : Optional.empty();
  }

  private static Target redirected(Target from, String location) {
    try {
      return from.redirected(location);
    } catch (IllegalArgumentException e) {
      // The exception's message may contain the URL, which may be secret.
      throw new PermanentFailure("%s redirects to what cannot be asked".formatted(from.shown()));
    }
  }

  private record Asked(Head head, Answer answer) {}

  private Asked ask(Target target, Optional<Rest> rest) throws IOException {
    var line = dial.connect(target);
    var socket = line.socket();
    try {
      socket.getOutputStream().write(request(target, rest).getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return answered(target, line);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  // Requests no content coding: bytes are counted as they are in the file.
  private static String request(Target target, Optional<Rest> rest) {
    var text =
        new StringBuilder("GET %s HTTP/1.1\r\n".formatted(target.path()))
            .append("Host: %s\r\n".formatted(target.authority()))
            .append("User-Agent: leasehold\r\nAccept: */*\r\nAccept-Encoding: identity\r\n");
    rest.ifPresent(
        range ->
            text.append("Range: bytes=%d-\r\n".formatted(range.from()))
                .append("If-Range: %s\r\n".formatted(range.validator())));
    return text.append("Connection: close\r\n\r\n").toString();
  }

  private static Asked answered(Target target, Dial.Line line) throws IOException {
    var in = new BufferedInputStream(line.socket().getInputStream(), BUFFER);
    var head = Head.read(in);
    line.paced().headArrived();
    requirePlain(target, head);
    var length = length(target, head);
    return new Asked(head, new Answer(line.socket(), head, length, Body.of(in, length)));
  }

  // The request is for the file itself, not for an encoding of it.
  private static void requirePlain(Target target, Head head) {
    var coding =
        head.header("content-encoding").filter(encoding -> !encoding.equalsIgnoreCase("identity"));
    if (coding.isPresent() && (head.status() == 200 || head.status() == 206)) {
      throw new PermanentFailure(
          "%s sends the file compressed, or otherwise coded".formatted(target.shown()));
    }
  }

  // Without a length or chunks, a broken connection looks like the end of the file.
  private static OptionalLong length(Target target, Head head) throws ProtocolException {
    var coding =
        head.header("transfer-encoding").map(encoding -> encoding.toLowerCase(Locale.ROOT));
    if (coding.isPresent()) {
      if (!coding.get().equals("chunked")) {
        throw new PermanentFailure("%s sends a coding of its own".formatted(target.shown()));
      }
      return OptionalLong.empty();
    }
    var length = head.header("content-length");
    if (length.isEmpty()) {
      if (head.status() == 200 || head.status() == 206) {
        throw new PermanentFailure(
            "%s does not tell where the file ends".formatted(target.shown()));
      }
      return OptionalLong.of(0);
    }
    if (!LENGTH.matcher(length.get()).matches()) {
      throw new ProtocolException("the server tells a length that is none");
    }
    return OptionalLong.of(Long.parseLong(length.get()));
  }
}
