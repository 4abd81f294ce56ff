// Deliberate mistakes in how lists are taken from folders and addresses: see faults.mjs for what the fields mean.
const WATCH = ['test/app/lists/list-watch.test.ts'];
const FATES = ['test/leads/folders/fates.test.ts'];
const FETCH = ['test/service/lists/fetch-list.test.ts'];

export const FOLDER_FAULTS = [
  {
    title: 'a list that still grows is taken',
    file: 'src/leads/folders/candidates.ts',
    text: 'return before.agoMs >= QUIET_MS && isSameState(now, before.state);',
    replacement: 'return before.agoMs >= QUIET_MS;',
    tests: FATES,
  },
  {
    title: 'a file that changes while it is read is taken',
    file: 'src/app/lists/list-watch.ts',
    text: 'known !== undefined && isSameState(known.state, state) ? known : undefined',
    replacement: 'known === undefined ? undefined : { ...known, state }',
    tests: WATCH,
    named: 'still grows',
  },
  {
    title: 'the list of a process that ended is never taken',
    file: 'src/leads/folders/candidates.ts',
    text: "return isAtWork ? { kind: 'wait' } : { kind: 'take', instead: row };",
    replacement: "return { kind: 'wait' };",
    tests: FATES,
  },
  {
    title: 'what was taken before a crash is told as another list',
    file: 'src/leads/folders/candidates.ts',
    text: "return isSameFile ? { kind: 'move', to: 'taken' } : { kind: 'known', row };",
    replacement: "return { kind: 'take', instead: row };",
    tests: FATES,
  },
  {
    title: 'a slow process ends a list that another one has claimed since',
    file: 'src/store/sql/tables/nights/outbox.ts',
    text: " AND sha256 = @sha256 AND state = 'taking' AND taker = @taker`",
    replacement: ' AND sha256 = @sha256`',
    tests: WATCH,
    named: 'by the slow one',
  },
  {
    title: 'two processes take the same list',
    file: 'src/store/sql/tables/nights/outbox.ts',
    text: 'if (instead === null) return insert(row) === 1;',
    replacement: 'if (instead === null) return insert(row) >= 0;',
    tests: ['test/store/sql/tables/guards.test.ts'],
  },
  {
    title: 'a link out of the folder is followed',
    file: 'src/app/lists/scan-places.ts',
    text: 'const found = await lstat(path).catch(() => undefined);',
    replacement: 'const found = await stat(path).catch(() => undefined);',
    tests: WATCH,
    named: 'refuses a link',
  },
  {
    title: 'another file that got the name of a taken one is moved away',
    file: 'src/app/lists/taking.ts',
    text: 'if (moved !== undefined && isSameState(moved, expected)) return target;',
    replacement: 'if (moved !== undefined) return target;',
    tests: WATCH,
    named: 'stays, and is taken',
  },
  {
    title: 'the address of a list is followed to another host',
    file: 'src/service/fetch-list.ts',
    text: 'if (next === null || next.origin !== url.origin) {',
    replacement: 'if (next === null) {',
    tests: FETCH,
    named: 'not followed to another host',
  },
  {
    title: 'a list of an address that tells no version is taken each time',
    file: 'src/app/lists/list-watch.ts',
    text: 'if (there === sha256 || (there === null && isSettled)) await rm(fetched);',
    replacement: 'if (there === sha256) await rm(fetched);',
    tests: ['test/e2e/lists/address-lists.test.ts'],
    named: 'tells no version',
  },
  {
    title: 'two processes that fetch a list write to one file',
    file: 'src/app/lists/list-watch.ts',
    text: '`.fetched-${world.owner.pid}`',
    replacement: '`.fetched`',
    tests: ['test/app/lists/addresses.test.ts'],
    named: 'each take what they got',
  },
];
