-- Job ids: version 7 UUIDs, generated from the database's clock only. They sort by creation time, choose the
-- partition, and contain the creation time. A process with a wrong clock cannot put a job into a day that is already
-- dropped.

-- PostgreSQL 18 has its own generator. For earlier versions: 48 bits of milliseconds, 12 bits of the fraction of a
-- millisecond, the rest random.
DO $migration$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION leasehold.new_id() RETURNS uuid
      LANGUAGE sql VOLATILE PARALLEL SAFE
      RETURN uuidv7();
  ELSE
    CREATE FUNCTION leasehold.new_id() RETURNS uuid
      LANGUAGE sql VOLATILE PARALLEL SAFE
    BEGIN ATOMIC
      SELECT encode(
        overlay(
          overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send(micros / 1000) FROM 3) FROM 1 FOR 6)
          PLACING substring(int8send(28672 + (micros % 1000) * 4096 / 1000) FROM 7) FROM 7 FOR 2),
        'hex')::uuid
      FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) AS clock;
    END;
  END IF;
END $migration$;

-- The creation time of an id, to the millisecond. PostgreSQL 17 has the function but returns null, because it only
-- reads the time of version 1 UUIDs.
DO $migration$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE FUNCTION leasehold.created_at(id uuid) RETURNS timestamptz
      LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
      RETURN uuid_extract_timestamp(id);
  ELSE
    CREATE FUNCTION leasehold.created_at(id uuid) RETURNS timestamptz
      LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
      RETURN to_timestamp(
        ('x' || translate(substring(id::text FROM 1 FOR 13), '-', ''))::bit(48)::bigint / 1000.0);
  END IF;
END $migration$;

-- The lowest id that can be generated at an instant: the lower bound of a day's partition, and the id to compare with
-- for "created after".
CREATE FUNCTION leasehold.first_id_at(instant timestamptz) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN (lpad(to_hex((extract(epoch FROM instant) * 1000)::bigint), 12, '0')
    || '7000' || '8000' || '000000000000')::uuid;

-- The first id of a day, in UTC.
CREATE FUNCTION leasehold.first_id_of(day date) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN leasehold.first_id_at(day::timestamp AT TIME ZONE 'UTC');

-- The day of an id, in UTC.
CREATE FUNCTION leasehold.day_of(id uuid) RETURNS date
  LANGUAGE sql STABLE PARALLEL SAFE STRICT
  RETURN (leasehold.created_at(id) AT TIME ZONE 'UTC')::date;

GRANT EXECUTE ON FUNCTION leasehold.new_id(), leasehold.day_of(uuid), leasehold.first_id_of(date)
  TO leasehold_engine;
GRANT EXECUTE ON FUNCTION leasehold.created_at(uuid), leasehold.first_id_at(timestamptz)
  TO leasehold_tenant, leasehold_engine;

-- The days that have partitions.
CREATE TABLE leasehold.partition_day (
  day date NOT NULL CONSTRAINT partition_day_is_prepared_once PRIMARY KEY
);

-- UPDATE is needed to lock rows.
GRANT SELECT, UPDATE ON leasehold.partition_day TO leasehold_engine;
