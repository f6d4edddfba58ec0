package io.leasehold.rest.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One API call. Immutable; each method returns a changed copy.
 *
 * @param method GET, POST or DELETE
 * @param path the path after {@code /api/v1}
 * @param query its encoded parameters
 */
public record Call(String method, String path, List<String> query) {

  public Call {
    query = List.copyOf(query);
  }

  /** Creates a call that reads a resource. */
  public static Call get(String... path) {
    return new Call("GET", joined(path), List.of());
  }

  /** Creates a call that runs a command. */
  public static Call post(String... path) {
    return new Call("POST", joined(path), List.of());
  }

  /** Creates a call that deletes a resource. */
  public static Call delete(String... path) {
    return new Call("DELETE", joined(path), List.of());
  }

  /** Adds a parameter if it has a value. */
  public Call with(String name, Optional<?> value) {
    return value.map(it -> with(name, it.toString())).orElse(this);
  }

  /** Adds a parameter. */
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
