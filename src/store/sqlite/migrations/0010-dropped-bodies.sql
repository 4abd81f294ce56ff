-- The body of a delivery whose part is done is dropped after a while; this tells its repetition from another one.
ALTER TABLE inbox ADD COLUMN body_sha256 TEXT;
