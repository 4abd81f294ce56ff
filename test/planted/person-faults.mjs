// Deliberate mistakes in who is whom, and in what a later list changes: see faults.mjs for what the fields mean.
const PERSONS = ['test/store/sqlite/claim/persons.test.ts'];
const LISTS = ['test/cli/commands/lists/persons.test.ts'];
const CORRECTED = ['test/cli/commands/lists/corrections.test.ts'];
const STORE = ['test/store/sqlite/conformance.test.ts'];

export const PERSON_FAULTS = [
  {
    title: 'caps count the calls to the number that is dialled alone',
    file: 'src/store/sqlite/claim/past-calls.ts',
    text: 'phones.filter((phone) => phone !== dial)',
    replacement: '[]',
    tests: PERSONS,
  },
  {
    title: 'a long silence holds for the number of the conversation alone',
    file: 'src/store/sqlite/claim/past-calls.ts',
    text: 'own: own === null ? null : JSON.stringify([...own])',
    replacement: "own: own === null ? null : '[]'",
    tests: PERSONS,
  },
  {
    title: 'calls for a stranger at a shared phone hold back the person',
    file: 'src/store/sqlite/claim/past-calls.ts',
    text: "own.has(theirs ?? '')",
    replacement: 'own.size > 0',
    tests: PERSONS,
  },
  {
    title: 'a household with one id is one person',
    file: 'src/domain/lists/same-person.ts',
    text: 'few.every((word) =>',
    replacement: 'few.some((word) =>',
    tests: PERSONS,
  },
  {
    title: 'an id of many rows joins them',
    file: 'src/store/sqlite/claim/person/persons.ts',
    text: 'numbers.size > MOST_NUMBERS',
    replacement: 'numbers.size > 1_000',
    tests: LISTS,
  },
  {
    title: 'a placeholder is an id',
    file: 'src/leads/rows/row-person.ts',
    text: 'NOTHING.test(id) ?',
    replacement: "id === '' ?",
    tests: LISTS,
  },
  {
    title: 'a corrected number of somebody who was called rings',
    file: 'src/store/sqlite/claim/obstacles.ts',
    text: 'own.size === 1',
    replacement: 'own.size > 0',
    tests: LISTS,
  },
  {
    title: 'a person whose first number does not exist rings again after another row of theirs',
    file: 'src/store/sqlite/claim/obstacles.ts',
    text: 'own.size === 1',
    replacement: 'lead.spent > 0 || own.size === 1',
    tests: LISTS,
  },
  {
    title: 'a refusal until a day that comes during a call is forgotten with it',
    file: 'src/store/sqlite/tables/waiting-leads.ts',
    text: "iif(state = 'calling', max(not_before, ${at}), ${at})",
    replacement: '${at}',
    tests: ['test/store/sqlite/claim/lists-and-days.test.ts'],
  },
  {
    title: 'a do-not-call at one number leaves the others open',
    file: 'src/store/sqlite/claim/obstacles.ts',
    text: 'entryOf(phone) ?? wishOf(personOf(lead), phone)',
    replacement: 'entryOf(phone)',
    tests: LISTS,
  },
  {
    title: 'a do-not-call at a shared phone silences the others who share it',
    file: 'src/store/sqlite/claim/person/wishes.ts',
    text: 'own.has(other) ||',
    replacement: 'own.size > 0 ||',
    tests: STORE,
    named: 'person with several numbers',
  },
  {
    title: 'a later list leaves people where the first one saw them',
    file: 'src/store/sqlite/tables/people/corrections.ts',
    text: 'updateLead({ row, cells, zoneKey, disagree,',
    replacement: 'updateLead({ row, cells, zoneKey: known.zoneKey, disagree,',
    tests: CORRECTED,
  },
  {
    title: 'a consent that a later list empties still lets the person be called',
    file: 'src/store/sqlite/tables/people/corrections.ts',
    text: 'if (emptied !== undefined) {',
    replacement: 'if (emptied === null) {',
    tests: CORRECTED,
  },
  {
    title: 'people whose consent a later list does not state are still called',
    file: 'src/leads/rows/opt-outs.ts',
    text: "row.kind !== 'rejected' || row.stops === undefined",
    replacement: "row.kind === 'rejected'",
    tests: CORRECTED,
  },
  {
    title: 'a call shows what a list said after it',
    file: 'src/store/sqlite/tables/people/corrections.ts',
    text: 'if (lastSeq !== null) insertBefore',
    replacement: 'if (lastSeq === -1) insertBefore',
    tests: CORRECTED,
  },
  {
    title: 'another place that a list knows of a number closes no hours',
    file: 'src/store/sqlite/claim/person/known-places.ts',
    text: 'everyPlace([own, ...known])',
    replacement: 'own',
    tests: CORRECTED,
  },
];
