-- What the demonstration's transactional handler writes: one row for each job that succeeded.

CREATE TABLE leasehold_demo.booking (
  tenant_id uuid        NOT NULL,
  job_id    uuid        NOT NULL,

  customer  text        NOT NULL,
  amount    integer     NOT NULL CHECK (amount > 0),

  PRIMARY KEY (tenant_id, job_id)
);

SELECT leasehold.protect('leasehold_demo.booking');

GRANT USAGE ON SCHEMA leasehold_demo TO leasehold_tenant;
GRANT SELECT, INSERT ON leasehold_demo.booking TO leasehold_tenant;
