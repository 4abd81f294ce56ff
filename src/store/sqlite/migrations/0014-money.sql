-- Money is decimal text: a number such as 12.3 / 100 is 0.12300000000000001 in binary, and so is every sum of them.
-- What is stored is rounded to 15 significant digits, as asMoney of src/domain/money.ts does; columns are changed in
-- place, as a copy of the table would leave the file twice as large.
ALTER TABLE analytics ADD COLUMN money TEXT;
-- The exponent of the first digit says how many digits stand behind the point: with fewer than one of them there
-- is no point, and zeros at the end are part of the number.
UPDATE analytics SET money = CASE
    WHEN abs(cost) < 1e-15 THEN '0'
    WHEN abs(cost) >= 1e14 THEN printf('%.0f', cost)
    ELSE rtrim(rtrim(printf('%.*f', 14 - CAST(substr(printf('%.14e', cost), -3) AS INTEGER), cost), '0'), '.')
  END WHERE cost IS NOT NULL;
ALTER TABLE analytics DROP COLUMN cost;
ALTER TABLE analytics RENAME COLUMN money TO cost;
