// Deliberate mistakes in reading the rows of a list: see faults.mjs for what the fields mean.
const SHAPE = 'src/leads/columns/row-shape.ts';
const SHIFTED = 'test/leads/columns/row-shape.test.ts';

const UNDECIDED = ['test/e2e/lists/columns-undecided.test.ts'];

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
    title: 'an earlier list of the same columns decides what the cells of a later one say',
    file: 'src/leads/columns/layout.ts',
    text: 'return { ...before.reduce((now, one) => stricter(now, one, chosen), mapping), chosen };',
    replacement: 'return { ...mapping, ...before.at(-1), chosen };',
    tests: ['test/leads/columns/remembered-mapping.test.ts'],
  },
  {
    title: 'a column that forbade calls in an earlier list is forgotten',
    file: 'src/leads/columns/remembered-mapping.ts',
    text: 'emptyIsNo: emptyIsNo || find(mayBefore, column)?.emptyIsNo === true,',
    replacement: 'emptyIsNo,',
    tests: ['test/leads/columns/remembered-mapping.test.ts'],
  },
  {
    title: 'a refusal in a column without a meaning is not seen',
    file: 'src/leads/rows/judge-row.ts',
    text: 'const refused = refusing(cells).find(isOpen);',
    replacement: 'const refused = refusing(cells).find(() => false);',
    tests: UNDECIDED,
  },
  {
    title: 'columns that nobody has decided about stop nothing',
    file: 'src/app/plan/approve.ts',
    text: 'if (plan.undecided !== undefined) throw plan.undecided;',
    replacement: '',
    tests: UNDECIDED,
  },
  {
    title: 'another row of a number that was held back rings',
    file: 'src/leads/rows/judge-row.ts',
    text: 'const firstLine = memory.held.lineOf(phone) ?? firstLines.add(phone, line);',
    replacement: 'const firstLine = firstLines.add(phone, line);',
    tests: UNDECIDED,
  },
  {
    title: 'an answer about a column is forgotten after its list',
    file: 'src/leads/columns/remembered-mapping.ts',
    text: 'return chosen ?? ignored',
    replacement: 'return (chosen && []) ?? ignored',
    tests: UNDECIDED,
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
