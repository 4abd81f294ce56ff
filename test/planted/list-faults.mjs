// Deliberate mistakes in looking for lost calls in a list of calls: see faults.mjs for what the fields mean.
const EVIDENCE = 'src/collect/polling/list-evidence.ts';
const SEARCH = 'src/collect/polling/bulk-poller.ts';
const DOUBTS = 'test/collect/polling/doubts-in-list.test.ts';
const LISTED = 'test/collect/polling/listed-calls.test.ts';

export const LIST_FAULTS = [
  {
    title: 'a listed call of the same number is taken although two doubts are about it',
    file: 'src/domain/same-call.ts',
    text: 'if (doubts.length > 1) return',
    replacement: 'if (doubts.length > 2) return',
    tests: [LISTED],
  },
  {
    title: 'of two listed calls of one number the first is taken',
    file: EVIDENCE,
    text: 'if (claim === undefined || another !== undefined) continue;',
    replacement: 'if (claim === undefined) continue;',
    tests: [LISTED],
  },
  {
    title: 'of two listed calls with one key the first is taken',
    file: EVIDENCE,
    text: 'if (callIds.length < 2) return [];',
    replacement: 'if (callIds.length < 3) return [];',
    tests: [LISTED],
  },
  {
    title: 'a call that is absent from the list is taken as not made',
    file: SEARCH,
    text: '      search.missed(from, covers, open);\n',
    replacement: `      search.missed(from, covers, open);
    const listed = new Set(calls.map(({ attemptKey }) => attemptKey));
    for (const { key, attemptId } of open) {
      if (listed.has(key)) continue;
      const detail = 'not in the list of calls';
      const answer = { kind: 'released', reason: 'refused_without_effect', notBefore: 0 } as const;
      await store.recordDial(attemptId, { ...answer, at: 0, detail });
    }
`,
    tests: [DOUBTS],
  },
  {
    title:
      'a call without a key is taken for ours by its number, although ours come back with their keys',
    file: EVIDENCE,
    text: ': !isByKey && phone !== null',
    replacement: ': phone !== null',
    tests: [LISTED],
  },
  {
    title: 'the list is read for a doubt over and over',
    file: 'src/domain/polling/search-plan.ts',
    text: 'const GROWTH = 3;',
    replacement: 'const GROWTH = 1;',
    tests: [DOUBTS],
  },
  {
    title: 'a run ends before its doubts were looked for',
    file: SEARCH,
    text: 'return !isPossible || (askedSinceDraining && !isWorthWaiting(search.dueIn));',
    replacement: 'return !isPossible || askedSinceDraining;',
    tests: [DOUBTS],
  },
  {
    title: 'a time in nanoseconds is one in the far future, and after every dial',
    file: 'src/service/profile/read-fields.ts',
    text: 'return ms >= EARLIEST && ms < LATEST ? ms : undefined;',
    replacement: 'return ms >= EARLIEST ? ms : undefined;',
    tests: ['test/service/profile/read-fields.test.ts'],
  },
  {
    title: 'an import that was broken off is looked for at the name of the upload',
    file: 'src/app/plan/unfinished-import.ts',
    text: 'return file !== null && (input !== null || existsSync(file)) ? file : path;',
    replacement: 'return path;',
    tests: ['test/app/lists/sent-lists.test.ts'],
  },
  {
    title: 'the files of lists that a draft has are deleted after a day',
    file: 'src/app/lists/uploads.ts',
    text: 'at < yesterday && !kept.has(basename(own))',
    replacement: 'at < yesterday',
    tests: ['test/app/lists/sent-lists.test.ts'],
  },
  {
    title: 'a start calls without the lists that were sent',
    file: 'src/app/plan/plan.ts',
    text: 'const allPaths = [...sent, ...givenPaths];',
    replacement: 'const allPaths = givenPaths;',
    tests: ['test/app/lists/sent-lists.test.ts'],
  },
  {
    title: 'rules that hold by default where nobody real is called go live with a draft',
    file: 'src/app/campaigns/change-settings.ts',
    text: 'config !== undefined && (await nobodyChoseRules(campaign, store))',
    replacement: 'false',
    tests: ['test/console/routes/drafts.test.ts'],
    named: 'has the rules that its service needs',
  },
  {
    title: 'a web page is told by an expression that doubles its time with every comment',
    file: 'src/leads/read/file-kinds.ts',
    text: '<!--(?:[^-]|-[^-]|--+[^->])*--+>',
    replacement: '<!--[^]*?-->',
    tests: ['test/text/linear-expressions.test.ts'],
    named: 'wherever the source writes one',
  },
  {
    title: 'a column called constructor stops the claim',
    file: 'src/domain/lists/person.ts',
    text: "own(variables, name) ?? ''",
    replacement: "variables[name] ?? ''",
    tests: ['test/text/inherited-names.test.ts'],
    named: 'of a column that is missing',
  },
];
