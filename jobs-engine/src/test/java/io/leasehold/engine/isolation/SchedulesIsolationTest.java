package io.leasehold.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.engine.service.query.Scripted;
import io.leasehold.engine.service.query.Scripted.Deed;
import io.leasehold.engine.service.query.Scripted.Script;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.Schedule;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One tenant holds the service, and knows the names of the other's schedules. */
class SchedulesIsolationTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final String NAME = Victim.QUEUE;

  private final TenantId own = new TenantId(UUID.randomUUID());
  private final TenantId foreign = new TenantId(UUID.randomUUID());
  private final SecurityContext caller = SecurityContext.of("ann", own).build();
  private final SecurityContext reader =
      SecurityContext.of("ann", own).reading(Set.of(foreign)).build();
  private final SecurityContext owner = SecurityContext.of("bob", foreign).build();
  private final OpenService service =
      OpenService.on(database, EngineConfig.defaults(), new Scripted.Handlers(new Scripted.Gate()));
  private final Schedules schedules = service.schedules();

  private Connection administrator;
  private Victim victim;

  @BeforeEach
  void store() throws SQLException {
    administrator = database.connectAsAdministrator();
    victim = Victim.of(administrator, foreign);
  }

  @AfterEach
  void close() throws SQLException {
    service.close();
    administrator.close();
  }

  @Test
  void anotherTenantsSchedulesAreNeitherSeenNorChanged() throws SQLException {
    requireOutOfReach();
  }

  @Test
  void theFunctionsAreIsolatedWithoutRowLevelSecurityToo() throws SQLException {
    victim.execute(RowLevelSecurity.OFF);
    try {
      requireOutOfReach();
    } finally {
      victim.execute(RowLevelSecurity.ON);
    }
  }

  private void requireOutOfReach() throws SQLException {
    var before = victim.rows();

    for (var who : List.of(caller, reader)) {
      assertThat(schedules.find(who, NAME)).isEmpty();
      assertThat(schedules.next(who, NAME, 1)).isEmpty();
      assertThat(schedules.list(who, Optional.empty(), 200).schedules()).isEmpty();
      assertThat(schedules.pause(who, NAME)).isFalse();
      assertThat(schedules.resume(who, NAME)).isFalse();
      assertThat(schedules.remove(who, NAME)).isFalse();
      service
          .transactions()
          .asTenant(
              who,
              tx -> {
                assertThat(schedules.pause(tx, NAME)).isFalse();
                assertThat(schedules.resume(tx, NAME)).isFalse();
                assertThat(schedules.remove(tx, NAME)).isFalse();
                return true;
              });
    }

    assertThat(victim.rows()).isEqualTo(before);
  }

  @Test
  void theSameNameIsFreeForAnotherTenant() throws SQLException {
    var before = victim.rows();

    var put =
        schedules.put(
            reader,
            ScheduleRequest.of(
                NAME, "@daily", Scripted.ONCE.request(new Script(Deed.RETURN, "x"))));

    assertThat(put.tenant()).isEqualTo(own);
    assertThat(schedules.list(caller, Optional.empty(), 200).schedules()).containsExactly(put);
    assertThat(victim.rows()).isEqualTo(before);
  }

  @Test
  void theOwnTenantSeesAndChangesThem() {
    assertThat(schedules.find(owner, NAME).map(Schedule::tenant)).contains(foreign);
    assertThat(schedules.next(owner, NAME, 2)).hasSize(2);
    assertThat(schedules.pause(owner, NAME)).isTrue();
    assertThat(schedules.resume(owner, NAME)).isTrue();
    assertThat(schedules.remove(owner, NAME)).isTrue();
  }

  @Test
  void everyMethodIsTested() {
    assertThat(
            Arrays.stream(Schedules.class.getMethods()).map(method -> method.getName()).distinct())
        .containsExactlyInAnyOrder("put", "find", "list", "next", "pause", "resume", "remove");
  }
}
