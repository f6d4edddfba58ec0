package io.leasehold.downloads.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The head of a response.
 *
 * @param status the HTTP status
 * @param headers the values by lower-case name; several values of one name are joined with commas
 */
record Head(int status, Map<String, String> headers) {

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");
  private static final int BYTES_MOST = 64 << 10;
  private static final int INTERIM_MOST = 10;

  Head {
    headers = Map.copyOf(headers);
  }

  /** Reads a head, and skips interim responses. */
  static Head read(InputStream in) throws IOException {
    for (var i = 0; i < INTERIM_MOST; i++) {
      var head = one(in);
      if (head.status() >= 200) {
        return head;
      }
    }
    throw new ProtocolException("the server says again and again that it will answer");
  }

  private static Head one(InputStream in) throws IOException {
    var lines = new Lines(in, BYTES_MOST);
    var status = STATUS.matcher(lines.next());
    if (!status.matches()) {
      throw new ProtocolException("the server does not answer by HTTP/1.1");
    }
    var headers = new HashMap<String, String>();
    for (var line = lines.next(); !line.isEmpty(); line = lines.next()) {
      var colon = line.indexOf(':');
      if (colon < 1 || line.charAt(0) == ' ' || line.charAt(0) == '\t') {
        throw new ProtocolException("the server sends a header that is none");
      }
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, other) -> one + ", " + other);
    }
    return new Head(Integer.parseInt(status.group(1)), headers);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Reads lines of ASCII, up to a total number of bytes. */
  static final class Lines {

    private final InputStream in;
    private int left;

    Lines(InputStream in, int most) {
      this.in = in;
      this.left = most;
    }

    String next() throws IOException {
      var line = new ByteArrayOutputStream();
      for (var octet = in.read(); octet != '\n'; octet = in.read()) {
        if (octet < 0) {
          throw new EOFException("the server closed the connection");
        }
        if (--left < 0) {
          throw new ProtocolException("the server sends more headers than are read");
        }
        line.write(octet);
      }
      var text = line.toString(StandardCharsets.ISO_8859_1);
      return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
  }
}
