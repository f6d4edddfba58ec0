-- A table with a row in it.

CREATE TABLE planted.bill (tenant_id uuid NOT NULL, id uuid PRIMARY KEY, paid boolean);

INSERT INTO planted.bill VALUES (gen_random_uuid(), gen_random_uuid());

SELECT leasehold.protect('planted.bill');
