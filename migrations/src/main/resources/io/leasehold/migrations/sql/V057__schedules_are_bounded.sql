-- When a schedule's next slot is, is a constraint as well, as a net: of all that a schedule says, only that
-- decides about when others are looked at. What is put aside, paused or replaced leaves it, and so can a row
-- that broke it before. Other bounds are no constraints: they would keep such a row from being put aside.
--
-- The tables of jobs have none either: each row would pay for what is checked once a call.
ALTER TABLE leasehold.schedule ADD CONSTRAINT schedule_next_is_an_instant CHECK (
  next_at BETWEEN timestamptz '1970-01-01 00:00:00+00' AND timestamptz '9999-12-31 00:00:00+00')
  NOT VALID;

-- Rows are only ever added, and removed.
ALTER TABLE leasehold.cancel_request ADD CONSTRAINT cancel_requested_by_is_bounded
  CHECK (length(requested_by) BETWEEN 1 AND 255) NOT VALID;

-- As before. The rest of the transaction waits for no lock: a tenant that holds the key of a slot's job
-- would keep the schedules of others from firing.
CREATE OR REPLACE FUNCTION leasehold.hold_schedule(
    its_name text, its_revision bigint, its_slot timestamptz) RETURNS TABLE (name text)
  LANGUAGE plpgsql
AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('lock_timeout', '50ms', true);
  RETURN QUERY
    SELECT its.name FROM leasehold.schedule AS its
    WHERE its.tenant_id = leasehold.own_tenant() AND its.name = its_name
      AND its.revision = its_revision AND its.next_at = its_slot
    FOR NO KEY UPDATE SKIP LOCKED;
END $$;

SELECT leasehold.run_as_engine('leasehold.hold_schedule(text, bigint, timestamptz)');
