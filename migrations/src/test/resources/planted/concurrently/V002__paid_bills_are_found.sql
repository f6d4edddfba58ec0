-- An index built while the table is in use: outside of a transaction, for which Flyway is told here.

CREATE INDEX CONCURRENTLY bill_paid ON planted.bill (tenant_id, paid);
