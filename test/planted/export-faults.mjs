// Deliberate mistakes in what leaves as CSV: see faults.mjs for what the fields mean.
const GUARD = 'src/domain/lists/spreadsheet.ts';
const CELLS = 'test/domain/lists/csv.test.ts';

export const EXPORT_FAULTS = [
  {
    title: 'a formula inside a cell leaves without a guard',
    file: GUARD,
    text: 'return hasFormula(text);\n}',
    replacement: 'return false;\n}',
    tests: [CELLS],
  },
  {
    title: 'a guard inside a cell stays there when the file comes back',
    file: GUARD,
    text: 'const text = withoutGuards(cell.slice(1));',
    replacement: 'const text = cell.slice(1);',
    tests: [CELLS],
  },
  {
    title: 'prose that calls something counts as prose',
    file: GUARD,
    text: 'String.raw`(!|=[',
    replacement: 'String.raw`!|=[',
    tests: [CELLS],
  },
  {
    title: 'a phone number as people write it gets a guard that a CRM keeps',
    file: GUARD,
    text: "return seen.startsWith('+') &&",
    replacement: "return !seen.startsWith('+') &&",
    tests: ['test/e2e/lists/exported-cells.test.ts'],
  },
  {
    title: 'a cell with a semicolon leaves without quotes',
    file: 'src/domain/lists/spreadsheet.ts',
    text: 'const NEEDS_QUOTES = /[",;|\\t',
    replacement: 'const NEEDS_QUOTES = /[",\\t',
    tests: [CELLS],
  },
  {
    title: 'a cell is cut before its guard is put on',
    file: 'src/domain/lists/spreadsheet.ts',
    text: 'quoted(capped(guardForSpreadsheet(text)))',
    replacement: 'quoted(guardForSpreadsheet(capped(text)))',
    tests: ['test/results/formats/formats.test.ts'],
  },
];
