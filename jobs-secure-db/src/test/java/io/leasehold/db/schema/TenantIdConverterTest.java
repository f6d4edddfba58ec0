package io.leasehold.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jobs.TenantId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TenantIdConverterTest {

  private final TenantIdConverter converter = new TenantIdConverter();

  @Test
  void turnsColumnsIntoTenantsAndBack() {
    var column = UUID.randomUUID();

    var tenant = converter.from(column);

    assertThat(tenant).isEqualTo(new TenantId(column));
    assertThat(converter.to(tenant)).isEqualTo(column);
  }

  @Test
  void keepsNull() {
    assertThat(converter.from(null)).isNull();
    assertThat(converter.to(null)).isNull();
  }
}
