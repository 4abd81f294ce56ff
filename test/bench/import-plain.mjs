// What an import of a list is compared with: csv-parse and libphonenumber-js alone, in one thread. Every row is
// parsed and every number validated, with the same numbering plans as in callsheet; nothing is kept.
//
//   node test/bench/import-plain.mjs LIST ROWS
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const [list, rows] = process.argv.slice(2);
let at;
let good = 0;
const parser = createReadStream(list, { highWaterMark: 1 << 18 }).pipe(parse());
parser.on('data', (cells) => {
  if (at === undefined) at = cells.indexOf('Phone');
  else if (parsePhoneNumberFromString(cells[at], 'US')?.isValid() === true) good += 1;
});
parser.on('end', () => {
  if (good !== Number(rows)) throw new Error(`${good} valid numbers, not ${rows}`);
});
