package io.leasehold.rest.program;

import io.leasehold.rest.demo.DemoJobs;
import io.leasehold.rest.demo.DemoTenant;
import io.leasehold.rest.issuer.DevelopmentIssuer;
import io.leasehold.rest.issuer.TokenRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a newcomer needs to try the program: tokens, and calls to paste.
 *
 * @param url the URL of the HTTP server
 * @param tokens the tokens by tenant name, in the order of the tenants
 */
record Greeting(String url, Map<String, String> tokens) {

  /** Creates the greeting, with tokens of both tenants if the development issuer is on. */
  static Greeting of(String url, Optional<DevelopmentIssuer> issuer, String adminRole) {
    var tokens = new LinkedHashMap<String, String>();
    issuer.ifPresent(
        it -> {
          for (var tenant : DemoTenant.values()) {
            tokens.put(tenant.word(), it.token(request(tenant, adminRole)));
          }
        });
    return new Greeting(url, tokens);
  }

  private static TokenRequest request(DemoTenant tenant, String adminRole) {
    return new TokenRequest(
        tenant.tenant(), DemoTenant.PRINCIPAL, List.of(adminRole), TokenRequest.LIFE);
  }

  Stream<String> tokenLines() {
    return tokens.entrySet().stream()
        .map(it -> "token     %-6s  %s".formatted(it.getKey(), it.getValue()));
  }

  /**
   * Returns calls that work as they are: all jobs, one job, and the events of a running job, except
   * for jobs that were refused.
   */
  Stream<String> calls(DemoTenant tenant, DemoJobs.Submitted jobs) {
    var token = Optional.ofNullable(tokens.get(tenant.word()));
    return token.stream()
        .flatMap(
            it ->
                Stream.of(
                        Optional.of(call("-sw '\\n'", it, "")),
                        jobs.report().map(report -> call("-sw '\\n'", it, "/" + report)),
                        jobs.export()
                            .map(export -> call("-sN", it, "/" + export + "/events/stream")))
                    .flatMap(Optional::stream));
  }

  private String call(String options, String token, String path) {
    return "curl %s -H 'Authorization: Bearer %s' %s/api/v1/jobs%s"
        .formatted(options, token, url, path);
  }
}
