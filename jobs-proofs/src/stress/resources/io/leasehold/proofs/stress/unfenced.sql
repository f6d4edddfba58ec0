-- The engine without its fence: any worker's lease of a job is as good as the one that was given.
CREATE OR REPLACE FUNCTION leasehold.is_held(holder uuid, held_token bigint, worker uuid, token bigint)
  RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN true;
