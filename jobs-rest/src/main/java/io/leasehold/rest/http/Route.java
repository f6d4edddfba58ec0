package io.leasehold.rest.http;

import java.util.List;
import java.util.Set;

/**
 * Something that can be asked for. Immutable; the methods that set something return a changed copy.
 *
 * @param method in capitals
 * @param path with {@code {id}} where a job is named, and {@code {name}} where a file of it or a
 *     schedule is
 * @param access who may
 * @param parameters which there may be in the query
 * @param produces the media types that there are; the first is given to whoever takes any
 * @param resource answers
 */
public record Route(
    String method,
    String path,
    Access access,
    Set<String> parameters,
    List<String> produces,
    Resource resource) {

  /** Without parameters, giving JSON. */
  public Route(String method, String path, Access access, Resource resource) {
    this(method, path, access, Set.of(), List.of("application/json"), resource);
  }

  public Route {
    parameters = Set.copyOf(parameters);
    produces = List.copyOf(produces);
  }

  /** With these parameters. */
  public Route taking(String... names) {
    return new Route(method, path, access, Set.of(names), produces, resource);
  }

  /** Giving these media types. */
  public Route giving(String... mediaTypes) {
    return new Route(method, path, access, parameters, List.of(mediaTypes), resource);
  }

  /** Whether an empty object may be sent along. */
  public boolean takesBody() {
    return method.equals("POST");
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
