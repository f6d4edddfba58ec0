-- The row breaks this rule. The server would look for such rows as the owner, and see none.

ALTER TABLE planted.bill
  ADD FOREIGN KEY (tenant_id, corrects) REFERENCES planted.bill (tenant_id, id);
