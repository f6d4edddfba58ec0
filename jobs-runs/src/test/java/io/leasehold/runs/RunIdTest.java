package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdTest {

  private final TenantId tenant = new TenantId(new UUID(0, 1));
  private final JobId job = new JobId(new UUID(0, 2));
  private final RunId id = new RunId(tenant, job, 3);

  @Test
  void isParsedFromItsName() {
    assertThat(RunId.parse(id.name())).contains(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "work",
        "../00000000-0000-0000-0000-000000000001_00000000-0000-0000-0000-000000000002_3",
        "00000000-0000-0000-0000-000000000001_00000000-0000-0000-0000-000000000002_0",
        "00000000-0000-0000-0000-000000000001_00000000-0000-0000-0000-000000000002_3x",
        "00000000-0000-0000-0000-000000000001_00000000-0000-0000-0000-000000000002",
      })
  void isNotParsedFromOtherNames(String name) {
    assertThat(RunId.parse(name)).isEmpty();
  }

  @Test
  void followsOnlyEarlierAttemptsOfItsJob() {
    assertThat(id.follows(new RunId(tenant, job, 2))).isTrue();
    assertThat(id.follows(id)).isTrue();
    assertThat(id.follows(new RunId(tenant, job, 4))).isFalse();
    assertThat(id.follows(new RunId(tenant, new JobId(new UUID(0, 9)), 2))).isFalse();
    assertThat(id.follows(new RunId(new TenantId(new UUID(0, 9)), job, 2))).isFalse();
  }
}
