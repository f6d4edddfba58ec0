CREATE TABLE left_by_script (id integer);
