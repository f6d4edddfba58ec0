-- A module's own table, whose rule is checked at the commit and not before.
CREATE SCHEMA ledger AUTHORIZATION leasehold_owner;
SET ROLE leasehold_owner;

CREATE TABLE ledger.entry (
  tenant_id uuid NOT NULL,
  id        uuid NOT NULL DEFAULT gen_random_uuid(),

  -- the case that wrote it
  name      text NOT NULL,

  -- the setting ledger.author of the transaction that wrote it
  author    text DEFAULT nullif(current_setting('ledger.author', true), ''),

  -- the entry before it, which may come later in the same transaction
  former    uuid,

  CONSTRAINT entry_is_known_by_tenant_and_id PRIMARY KEY (tenant_id, id),
  CONSTRAINT entry_follows_another FOREIGN KEY (tenant_id, former)
    REFERENCES ledger.entry (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
);
SELECT leasehold.protect('ledger.entry');
GRANT USAGE ON SCHEMA ledger TO leasehold_tenant;
GRANT SELECT, INSERT ON ledger.entry TO leasehold_tenant;

RESET ROLE;
