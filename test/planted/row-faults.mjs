// Deliberate mistakes in reading the rows of a list: see faults.mjs for what the fields mean.
const SHAPE = 'src/leads/columns/row-shape.ts';
const SHIFTED = 'test/leads/columns/row-shape.test.ts';

export const ROW_FAULTS = [
  {
    title: 'a list that is refused keeps nobody who asks not to be called',
    file: 'src/app/lists/keep-opt-outs.ts',
    text: 'if (isRefused(error)) await',
    replacement: 'if (!isRefused(error)) await',
    tests: ['test/e2e/lists/refused-opt-outs.test.ts'],
  },
  {
    title: 'of a refused list only whole rows are asked for opt-outs',
    file: 'src/leads/rows/opt-outs.ts',
    text: 'row.doNotCall\n',
    replacement: 'undefined\n',
    tests: ['test/e2e/lists/refused-opt-outs.test.ts'],
  },
  {
    title: 'a row with more cells than headings is taken as it stands',
    file: SHAPE,
    text: "if (width > columns) return { kind: 'shifted', by: width - columns, missing: [] };",
    replacement: '',
    tests: [SHIFTED],
  },
  {
    title: 'an empty cell at the end hides that the others have moved',
    file: SHAPE,
    text: 'if (length <= usual || delimiter === null || !isMoved(cells, length - usual)) return',
    replacement: 'if (width <= columns) return',
    tests: [SHIFTED],
  },
  {
    title: 'a row without the cell that decides about calls is taken',
    file: SHAPE,
    text: "if (missing.length > 0) return { kind: 'short', by: length - columns, missing };",
    replacement: '',
    tests: [SHIFTED],
  },
  {
    title: 'a stray byte makes Windows-1252 of a list of UTF-8',
    file: 'src/leads/read/utf8-damage.ts',
    text: 'if (valid === 0 || invalid > valid) return false;',
    replacement: 'if (valid >= 0 || invalid > valid) return false;',
    tests: ['test/e2e/lists/encodings.test.ts'],
  },
  {
    title: 'a row that cannot be read comes back from the rejects as it is',
    file: 'src/leads/rows/misaligned-rows.ts',
    text: 'if (!isRejects(headers)) return fitOf;',
    replacement: 'if (headers.length >= 0) return fitOf;',
    tests: ['test/e2e/lists/shifted-rows.test.ts'],
  },
  {
    title: 'a number whose country code may be missing behind its plus is called as written',
    file: 'src/leads/phone/parse-phone.ts',
    text: 'if (plus?.isRefused === true) return withoutCode(cell, plus);',
    replacement: '',
    tests: ['test/e2e/lists/plus-without-code.test.ts'],
  },
  {
    title: 'the fast path takes every number with a plus',
    file: 'src/leads/phone/fast-phone.ts',
    text: 'return mayLackCode(digits, plan) ? undefined : phoneAbroad(digits);',
    replacement: 'return phoneAbroad(digits);',
    tests: ['test/leads/phone/plus-without-code.test.ts'],
  },
  {
    title: 'a state of the row does not say that the country code is missing',
    file: 'src/leads/rows/row-numbers.ts',
    text: 'for (const other of states) {',
    replacement: 'for (const other of states.slice(states.length)) {',
    tests: ['test/e2e/lists/plus-without-code.test.ts'],
  },
  {
    title: 'a digit behind a plus is taken out to make a number that may be new',
    file: 'src/leads/phone/parse-phone.ts',
    text: 'isCut && !assigned',
    replacement: 'isCut && !assigned && assigned',
    tests: ['test/e2e/lists/plus-without-code.test.ts'],
  },
];
