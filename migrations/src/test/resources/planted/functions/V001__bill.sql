CREATE TABLE planted.bill (tenant_id uuid NOT NULL, id uuid PRIMARY KEY, paid boolean);

SELECT leasehold.protect('planted.bill');
