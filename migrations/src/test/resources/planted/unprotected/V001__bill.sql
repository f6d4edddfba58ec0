-- Forgets to protect its table.

CREATE TABLE planted.bill (tenant_id uuid NOT NULL, id uuid PRIMARY KEY);
