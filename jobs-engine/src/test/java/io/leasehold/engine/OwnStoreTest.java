package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.multibindings.OptionalBinder;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputStore;
import io.leasehold.testkit.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Files of jobs that a service keeps in a place of its own. */
class OwnStoreTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> TYPE =
      Handlers.type("own").retry(RetryPolicy.exponential(3).first(Duration.ofMillis(1)));

  @Test
  void areWrittenAndReadThere() throws IOException {
    var works = new Works();
    var store = new MapStore();
    try (var engine =
        RunningEngine.on(
            database,
            EngineConfig.defaults(),
            new Handlers().with(TYPE, works),
            binder ->
                OptionalBinder.newOptionalBinder(binder, OutputStore.class)
                    .setBinding()
                    .toInstance(store))) {
      var work =
          works.of(
              (job, _) -> {
                job.output("at-once", "text/plain", out -> out.write("one".getBytes(UTF_8)));
                var kept =
                    job.lastCheckpoint(OutputDraft.Kept.class).orElse(OutputDraft.Kept.NOTHING);
                try (var draft = job.draft(kept)) {
                  draft.write("part ".getBytes(UTF_8), 0, 5);
                  job.checkpoint(draft.keep());
                  if (job.attempt() < 3) {
                    throw new IllegalStateException("again");
                  }
                  return draft.finish("in-parts", "text/plain").name();
                }
              });
      var id = engine.jobs().submit(CALLER, TYPE.request(work)).jobId();

      assertThat(engine.jobs().await(CALLER, id, Duration.ofSeconds(60)).orElseThrow().status())
          .isEqualTo(JobStatus.SUCCEEDED);
      assertThat(read(engine, id, "at-once")).isEqualTo("one");
      assertThat(read(engine, id, "in-parts")).isEqualTo("part part part ");
      assertThat(store.files).isNotEmpty();
    }
  }

  private static String read(RunningEngine engine, JobId id, String name) throws IOException {
    try (var output = engine.outputs().open(CALLER, id, name).orElseThrow()) {
      return new String(output.bytes().readAllBytes(), UTF_8);
    }
  }

  /** Keeps files in this process. */
  private static final class MapStore implements OutputStore {

    private final Map<String, ByteArrayOutputStream> files = new ConcurrentHashMap<>();

    @Override
    public NewFile create(TenantId tenant, JobId job, String file) throws IOException {
      var bytes = new ByteArrayOutputStream();
      if (files.putIfAbsent(place(tenant, job, file), bytes) != null) {
        throw new FileAlreadyExistsException(file);
      }
      return new NewFile() {
        @Override
        public void write(byte[] chunk, int offset, int count) {
          bytes.write(chunk, offset, count);
        }

        @Override
        public void sync() {
          // There is nothing safer.
        }

        @Override
        public void close() {
          // Nothing is held.
        }
      };
    }

    @Override
    public InputStream open(TenantId tenant, JobId job, String file) throws IOException {
      return new ByteArrayInputStream(bytes(tenant, job, file));
    }

    @Override
    public long length(TenantId tenant, JobId job, String file) throws IOException {
      return bytes(tenant, job, file).length;
    }

    @Override
    public void remove(TenantId tenant, JobId job, Set<String> names) {
      names.forEach(file -> files.remove(place(tenant, job, file)));
    }

    @Override
    public void visit(Visitor visitor) {
      // Nothing is swept while this test lasts.
    }

    private byte[] bytes(TenantId tenant, JobId job, String file) throws IOException {
      var bytes = files.get(place(tenant, job, file));
      if (bytes == null) {
        throw new NoSuchFileException(file);
      }
      return bytes.toByteArray();
    }

    private static String place(TenantId tenant, JobId job, String file) {
      return "%s/%s/%s".formatted(tenant, job, file);
    }
  }
}
