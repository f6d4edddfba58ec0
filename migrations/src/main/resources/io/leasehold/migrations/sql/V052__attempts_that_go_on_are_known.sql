-- An attempt that goes on with another worker is known by the token under which it began: no other
-- attempt has that, also after a retry by hand, which counts attempts anew.

ALTER TABLE leasehold.lease
  -- if that was under an earlier lease: then it was orphaned
  ADD COLUMN first_token bigint,
  ADD CONSTRAINT lease_began_at_a_time_and_under_a_token
    CHECK ((since IS NULL) = (first_token IS NULL));
