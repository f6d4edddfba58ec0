package io.leasehold.rest.http;

import java.util.List;
import java.util.Set;

/**
 * One entry of the API. Immutable; the methods that set a value return a changed copy.
 *
 * @param method in capitals
 * @param path the path, with {@code {id}} for a job, and {@code {name}} for an output file or a
 *     schedule
 * @param access the required access
 * @param parameters the allowed query parameters
 * @param produces the available media types; the first is sent to clients that accept any
 * @param resource answers the requests
 */
public record Route(
    String method,
    String path,
    Access access,
    Set<String> parameters,
    List<String> produces,
    Resource resource) {

  /** Creates a route without parameters that produces JSON. */
  public Route(String method, String path, Access access, Resource resource) {
    this(method, path, access, Set.of(), List.of("application/json"), resource);
  }

  public Route {
    parameters = Set.copyOf(parameters);
    produces = List.copyOf(produces);
  }

  /** Sets the allowed query parameters. */
  public Route taking(String... names) {
    return new Route(method, path, access, Set.of(names), produces, resource);
  }

  /** Sets the available media types. */
  public Route giving(String... mediaTypes) {
    return new Route(method, path, access, parameters, List.of(mediaTypes), resource);
  }

  /** Whether the request may have an empty object as its body. */
  public boolean takesBody() {
    return method.equals("POST");
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
