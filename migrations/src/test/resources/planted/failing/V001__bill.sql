-- Fails in its second statement.

CREATE TABLE planted.bill (tenant_id uuid NOT NULL, id uuid PRIMARY KEY);

ALTER TABLE planted.bell ADD COLUMN paid boolean;
