// Files of about a megabyte that are hostile as a whole, and who reads them.
import { gzipSync } from 'node:zlib';
import { archiveOf } from './archive.mjs';
import { BOOKS, bookOf } from './book.mjs';
import { HONEST, UNITS } from './readers.mjs';

const SIZE = 1_000_000;

/** The readers of whole files, with the module of each; `READ` calls them. */
export const FILE_READERS = {
  surveyList: 'leads/import.js',
  numbersToSuppress: 'leads/suppression-list.js',
  readCallLog: 'leads/call-log.js',
};

export const READ = {
  surveyList: (read, path) => read(path, { country: 'US' }),
  numbersToSuppress: async (read, path) => {
    for await (const piece of read(path, { country: 'US' })) void piece;
  },
  readCallLog: (read, path) => read(path, 'US'),
};

const filled = (unit, size) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const cell = (text) => `"${text.replaceAll('"', '""')}"`;
const cells = (unit, size, count) => Array.from({ length: count }, () => cell(filled(unit, size)));

function table(head, row) {
  let text = head;
  for (let n = 0; text.length < SIZE; n++) text += `${row(n)}\n`;
  return text;
}

const phone = (n) => `+1212555${String(n % 10_000).padStart(4, '0')}`;
const HEAD = 'Number,Call ID,Time,Phone,Name,Notes\n';
const FIELDS = 'Phone,Email,Do not call,Call after,Time zone,State,Zip,Country,Notes\n';

/** A list whose cells are all hostile. */
export const hostileTable = (unit) => table(FIELDS, () => cells(unit, 300, 9).join());

/** By their names: what a hostile text is in the file. */
const SHAPES = {
  'the whole file': (unit) => filled(unit, SIZE),
  'notes, without quotes': (unit) =>
    table(
      HEAD,
      (n) => `${phone(n)},${n},2026-01-05T10:00:00Z,${phone(n)},Ann,${filled(unit, 200)}`,
    ),
  'cells of numbers': (unit) =>
    table(HEAD, () => [...cells(unit, 300, 1), 1, 2, ...cells(unit, 300, 1), 'Ann', 'x'].join()),
  'cells of every kind': hostileTable,
  'long cells of every kind': (unit) => table(FIELDS, () => cells(unit, 10_000, 9).join()),
  'column names': (unit) =>
    table(
      `Phone,${cells(unit, 10_000, 30).join()}\n`,
      (n) => `${phone(n)},${cells(unit, 300, 1).join()}`,
    ),
  'another time zone in each row': (unit) =>
    table('Phone,Time zone\n', (n) => `${phone(n)},${cell(filled(unit, 12) + n)}`),
  'thousands of columns': (unit) =>
    table(`Phone,${cells(unit, 12, 3_000).join()}\n`, (n) =>
      [phone(n), ...cells(unit, 6, 3_000)].join(),
    ),
};

/** A list of one number a row; a log has the columns that it must have. */
export const honestList = (name) =>
  Buffer.from(
    `${name === 'readCallLog' ? 'Number,Call ID,Time' : 'Phone'}\n${HONEST.join('\n')}\n`,
  );

/** Files, made one by one: `name`, `bytes` and whose `shape` it is. */
export function* hostileFiles() {
  for (const [shape, make] of Object.entries(SHAPES))
    for (const unit of UNITS) {
      const bytes = Buffer.from(make(unit));
      yield { name: `${JSON.stringify(unit)} as ${shape}`, ending: 'csv', bytes };
    }
  for (const [shape, make] of Object.entries(BOOKS))
    for (const unit of UNITS)
      yield {
        name: `${JSON.stringify(unit)} as ${shape}`,
        ending: 'xlsx',
        bytes: bookOf(make, unit),
      };
  const slashes = `Phone\n+12125550100\n${'1/'.repeat(100_000)}\n`;
  yield { name: 'a number with 100,000 slashes', ending: 'csv', bytes: Buffer.from(slashes) };
  const packed = gzipSync('Phone,Notes\n' + `+12125550100,${' '.repeat(900)}\n`.repeat(1_000));
  yield { name: 'a .gz of blanks', ending: 'gz', bytes: packed };
  yield { name: 'a .zip of 500,000 files', ending: 'zip', bytes: archiveOf(500_000, 'a') };
  const book = archiveOf(500_000, 'xl/media/image', '[Content_Types].xml');
  yield { name: 'a workbook of 500,000 parts', ending: 'xlsx', bytes: book };
}
