-- Visits, a partition for each year.

CREATE TABLE acme.visit (
  tenant_id uuid NOT NULL,
  at date NOT NULL,
  page text NOT NULL,
  PRIMARY KEY (tenant_id, at, page)
) PARTITION BY RANGE (at);

CREATE TABLE acme.visit_2026 PARTITION OF acme.visit FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

SELECT leasehold.protect('acme.visit');

GRANT SELECT, INSERT ON acme.visit TO leasehold_tenant;
