package io.leasehold.downloads;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.OutputConfig;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.JobOutputs;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/guide/downloads.md. */
class DownloadsGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final SecurityContext ann =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();

  @TempDir private Path shared;

  static final class DownloadsModule extends AbstractModule {
    @Override
    protected void configure() {
      var config = DownloadConfig.defaults().networks("127.0.0.0/8").bytesMost(20L << 30);
      handlerBinder(binder()).handle(DownloadHandler.TYPE).with(new DownloadHandler(config));
    }
  }

  private JobId order(JobService jobs, URI url) {
    var map = Download.of(url, "map.pbf").mediaType("application/x-protobuf");
    return jobs.submit(ann, DownloadHandler.TYPE.request(map).key("map of today")).jobId();
  }

  private void copy(JobOutputs outputs, JobId id, Path file) throws IOException {
    try (var map = outputs.open(ann, id, "map.pbf").orElseThrow()) {
      Files.copy(map.bytes(), file);
    }
  }

  @Test
  void downloadsAMap() throws IOException {
    var config =
        EngineConfig.defaults()
            .outputs(OutputConfig.defaults().folder(shared).bytesMost(20L << 30));
    try (var server = FileServer.of("a map".getBytes(UTF_8));
        var worker = Worker.on(database.jdbcUrl(), config, new DownloadsModule())) {
      var id = order(worker.jobs(), server.url());
      worker.jobs().await(ann, id, Duration.ofSeconds(60));

      copy(worker.outputs(), id, shared.resolve("map.pbf"));

      assertThat(shared.resolve("map.pbf")).hasContent("a map");
    }
  }
}
