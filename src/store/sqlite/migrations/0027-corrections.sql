-- Columns of later lists that this list lacks: JSON [{"header", "field"?}]. Cells of its leads go on with them.
ALTER TABLE lists ADD COLUMN added TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(added));
-- Why the person must not be called by what a later list says, and that list's sha256; NULL: they may be.
ALTER TABLE leads ADD COLUMN stopped TEXT;
ALTER TABLE leads ADD COLUMN stopped_by TEXT CHECK ((stopped_by IS NULL) = (stopped IS NULL));

-- What was known of a lead when it was called, kept when a later list corrects it.
CREATE TABLE lead_before (
  lead_row INTEGER NOT NULL REFERENCES leads (row),
  -- The attempts of the lead up to this one were made with these cells and this place.
  last_seq INTEGER NOT NULL,
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  zone_key TEXT NOT NULL,
  PRIMARY KEY (lead_row, last_seq)
) STRICT, WITHOUT ROWID;
