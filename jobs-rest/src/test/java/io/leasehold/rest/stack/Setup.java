package io.leasehold.rest.stack;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.engine.OutputConfig;
import io.leasehold.rest.RestConfig;
import io.leasehold.testkit.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * How a server of a test is made: several of one setup know the same tokens and the same works.
 * Immutable; each method returns a changed copy.
 *
 * @param issuer whose tokens it takes
 * @param works what its jobs do
 * @param rest how it serves
 * @param engine how it works
 */
public record Setup(TestIssuer issuer, Works works, RestConfig rest, EngineConfig engine) {

  /** With an issuer, works and a folder of its own, and no limit to the number of requests. */
  public static Setup create() {
    var issuer = TestIssuer.create();
    return new Setup(
        issuer,
        new Works(),
        RestConfig.defaults()
            .port(0)
            .issuers(List.of(issuer.settings()))
            .limits(RestStack.unlimited()),
        EngineConfig.defaults().outputs(OutputConfig.defaults().folder(ownFolder())));
  }

  private static Path ownFolder() {
    return Path.of("build", "outputs", UUID.randomUUID().toString());
  }

  /** Serves otherwise. */
  public Setup rest(UnaryOperator<RestConfig> change) {
    return new Setup(issuer, works, change.apply(rest), engine);
  }

  /** Works otherwise. */
  public Setup engine(UnaryOperator<EngineConfig> change) {
    return new Setup(issuer, works, rest, change.apply(engine));
  }

  /** Serves jobs, and does nothing for them by itself. */
  public Setup apiOnly() {
    return engine(config -> config.roles(Set.of()));
  }

  /** Has these parts of an engine's work, and serves no jobs. */
  public Setup only(Role... roles) {
    return rest(config -> config.apiOn(false)).engine(config -> config.roles(Set.of(roles)));
  }

  /** Starts it. */
  public RestStack on(TestDatabase database) {
    return RestStack.on(database, this);
  }
}
