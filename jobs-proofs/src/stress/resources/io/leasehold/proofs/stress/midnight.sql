-- Every id is made at the next midnight, two milliseconds before or one after.
CREATE OR REPLACE FUNCTION leasehold.new_id() RETURNS uuid
  LANGUAGE sql VOLATILE
  RETURN (
    left(leasehold.first_id_at(
      date_trunc('day', now(), 'UTC') + interval '1 day' + floor(random() * 4 - 2) * interval '1 ms'
    )::text, 15) || substr(gen_random_uuid()::text, 16))::uuid;
