-- A file of a job is where the engine would have put it: its name leads to no other folder, whoever
-- wrote it. What was finished from a draft keeps the draft's name.

ALTER TABLE leasehold.output
  ADD CONSTRAINT output_file_is_ours CHECK (file ~ '^(output|draft)-[0-9]{1,19}-[0-9]{1,10}$');
ALTER TABLE leasehold.output DROP CONSTRAINT output_file_is_bounded;
