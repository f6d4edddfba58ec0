package io.leasehold.rest.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.leasehold.rest.RestConfig;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The document of the API, and whether answers are as it says. */
public final class ApiDocument {

  /** The one that the server has. */
  public static final ApiDocument CURRENT = new ApiDocument();

  private static final JsonMapper JSON = new JsonMapper();

  private final JsonNode root;
  private final SchemaRegistry registry =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  private ApiDocument() {
    var in = RestConfig.class.getResourceAsStream("openapi.yaml");
    root = new YAMLMapper().readTree(Objects.requireNonNull(in));
  }

  /** The whole of it. */
  public JsonNode root() {
    return root;
  }

  /** What it describes, as in "GET /healthz". */
  public Set<String> operations() {
    var operations = new TreeSet<String>();
    root.path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry(
                    (method, operation) -> {
                      if (operation.has("responses")) {
                        operations.add(method.toUpperCase(Locale.ROOT) + " " + path);
                      }
                    }));
    return operations;
  }

  /** What it says of an operation. */
  public JsonNode operation(String method, String template) {
    return root.path("paths").path(template).path(method.toLowerCase(Locale.ROOT));
  }

  /** Which parameters of a kind an operation has. */
  public Set<String> parameters(String method, String template, String in) {
    var names = new TreeSet<String>();
    Stream.of(root.path("paths").path(template), operation(method, template))
        .forEach(
            node ->
                node.path("parameters")
                    .forEach(
                        parameter -> {
                          var whole = resolved(parameter);
                          if (whole.path("in").asString("").equals(in)) {
                            names.add(whole.path("name").asString(""));
                          }
                        }));
    return names;
  }

  /**
   * Checks an answer.
   *
   * @throws AssertionError if it is not what the document says
   */
  public void check(String method, String path, Answer answer) {
    var where = "%s %s: %d %s".formatted(method, path, answer.status(), answer.body());
    // An answer without its body is that of GET in everything else.
    var asked = method.equals("HEAD") ? "GET" : method;
    var operation = template(path).map(it -> operation(asked, it)).orElse(root.path("nowhere"));
    var response =
        operation.has("responses")
            ? response(operation.path("responses"), answer.status())
            : root.path("components").path("responses").path("Problem");
    assertThat(response.isMissingNode()).as("no such answer: " + where).isFalse();
    checkHeaders(where, response, answer);
    checkBody(where, method, response, answer);
  }

  private Optional<String> template(String path) {
    var plain = path.replaceFirst("[?#].*", "");
    return root.path("paths").propertyNames().stream()
        .filter(it -> plain.matches(it.replace(".", "\\.").replaceAll("\\{[a-z]+}", "[^/]+")))
        .findFirst();
  }

  private JsonNode response(JsonNode responses, int status) {
    var named = responses.path(Integer.toString(status));
    return resolved(named.isMissingNode() ? responses.path("default") : named);
  }

  private void checkHeaders(String where, JsonNode response, Answer answer) {
    response
        .path("headers")
        .forEachEntry(
            (name, header) -> {
              var whole = resolved(header);
              if (whole.path("required").asBoolean(false)) {
                assertThat(answer.headers().firstValue(name)).as(name + " of " + where).isPresent();
              }
            });
  }

  private void checkBody(String where, String method, JsonNode response, Answer answer) {
    var content = response.path("content");
    if (content.isMissingNode() || method.equals("HEAD")) {
      assertThat(answer.body()).as(where).isEmpty();
      return;
    }
    var type = answer.header("Content-Type").replaceFirst(";.*", "");
    assertThat(content.propertyNames()).as(where).contains(type);
    var schema = content.path(type).path("schema");
    switch (type) {
      case "application/x-ndjson" ->
          answer
              .body()
              .lines()
              .filter(line -> !line.isEmpty())
              .forEach(line -> check(where, schema, line));
      case "text/event-stream" ->
          answer
              .body()
              .lines()
              .filter(line -> line.startsWith("data: ") && line.contains("\"cursor\""))
              .forEach(line -> check(where, event(), line.substring("data: ".length())));
      case "application/octet-stream" -> {} // Anything.
      case "text/plain", "application/yaml" -> assertThat(answer.body()).as(where).isNotEmpty();
      default -> check(where, schema, answer.body());
    }
  }

  private JsonNode event() {
    return root.path("components").path("schemas").path("Event");
  }

  private void check(String where, JsonNode schema, String json) {
    var errors =
        schemas
            .computeIfAbsent(schema.toString(), _ -> schema(schema))
            .validate(
                JSON.readTree(json),
                context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)));
    assertThat(errors).as(where).isEmpty();
  }

  /** The part that is meant, with all that it may refer to. */
  private Schema schema(JsonNode schema) {
    var whole = JSON.createObjectNode();
    whole.putArray("allOf").add(schema);
    whole.set("$defs", root.path("components").path("schemas"));
    var text = whole.toString().replace("#/components/schemas/", "#/$defs/");
    return registry.getSchema(JSON.readTree(text));
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? root.at(node.path("$ref").asString("").substring(1)) : node;
  }
}
