-- Files that are on the suppression list as a whole, and the day for which each of them was true.
CREATE TABLE suppression_lists (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  as_of INTEGER NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL
) STRICT;
