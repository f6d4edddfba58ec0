package io.leasehold.rest.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One call of the API. Immutable; each method returns a changed copy.
 *
 * @param method GET, POST or DELETE
 * @param path behind {@code /api/v1}
 * @param query its parameters, as they are sent
 */
public record Call(String method, String path, List<String> query) {

  public Call {
    query = List.copyOf(query);
  }

  /** Reads something. */
  public static Call get(String... path) {
    return new Call("GET", joined(path), List.of());
  }

  /** Asks for something to be done. */
  public static Call post(String... path) {
    return new Call("POST", joined(path), List.of());
  }

  /** Removes something. */
  public static Call delete(String... path) {
    return new Call("DELETE", joined(path), List.of());
  }

  /** With a parameter, if it is given. */
  public Call with(String name, Optional<?> value) {
    return value.map(it -> with(name, it.toString())).orElse(this);
  }

  /** With a parameter. */
  public Call with(String name, String value) {
    var all = new ArrayList<>(query);
    all.add(name + "=" + encoded(value));
    return new Call(method, path, all);
  }

  String pathAndQuery() {
    return query.isEmpty() ? path : path + "?" + String.join("&", query);
  }

  private static String joined(String... path) {
    var joined = new StringBuilder();
    for (var part : path) {
      joined.append('/').append(encoded(part));
    }
    return joined.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
