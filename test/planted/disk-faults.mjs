// Deliberate mistakes around disks, restored databases and what a person decides: see faults.mjs for the fields.
const OPEN = 'src/store/sqlite/store.ts';
const FULL_DISK = 'test/store/sqlite/full-disk.test.ts';

export const DISK_FAULTS = [
  {
    title: 'people are claimed although the disk is nearly full',
    file: OPEN,
    text: 'if (!ballast.hasRoom())',
    replacement: 'if (ballast.givenUp < 0)',
    tests: [FULL_DISK],
  },
  {
    title: 'the ballast is not given up for the answers of calls in flight',
    file: OPEN,
    text: 'if (madeRoom) return write(work);',
    replacement: '',
    tests: [FULL_DISK],
  },
  {
    title: 'a disk that failed is written to again',
    file: 'src/store/sqlite/group-commit.ts',
    text: 'if (isDiskBroken(error)) this.#broken = error;',
    replacement: '',
    tests: ['test/store/sqlite/io-error.test.ts'],
  },
  {
    title: 'a database on a network file system is taken',
    file: 'src/store/sqlite/connection.ts',
    text: "if (mode === 'write') refuseNetworkDisk(path, disk);",
    replacement: '',
    tests: ['test/store/sqlite/disk.test.ts'],
  },
  {
    title: 'a damaged database is dialled from',
    file: 'src/store/sqlite/check.ts',
    text: "if (finding !== 'ok') throw",
    replacement: "if (finding === '') throw",
    tests: ['test/store/sqlite/disk.test.ts'],
  },
  {
    title: 'a restored database does not ask its journal what it has forgotten',
    file: 'src/store/sqlite/restore.ts',
    text: 'return recoverFromJournal(db, path, databaseId);',
    replacement: 'return databaseId.length < 0 ? recoverFromJournal(db, path, databaseId) : 0;',
    tests: ['test/store/sqlite/restore.test.ts'],
  },
  {
    title: 'a backup takes the place of a database that somebody works with',
    file: 'src/store/sqlite/restore.ts',
    text: "if (error.code === 'STORE_LOCKED') throw inUse(path, error);",
    replacement: "if (error.code === 'STORE_LOCKED') return () => undefined;",
    tests: ['test/store/sqlite/refuse-to-restore.test.ts'],
  },
  {
    title: 'a call that may still be on the line is settled as not made',
    file: 'src/domain/resolution.ts',
    text: "if (now < holdsUntil) return { why: 'too_early', until: holdsUntil };",
    replacement: '',
    tests: ['test/domain/resolution.test.ts'],
  },
  {
    title: 'a call that the service took is settled as not made',
    file: 'src/domain/resolution.ts',
    text: "if (accepted) return { why: 'accepted' };",
    replacement: '',
    tests: ['test/domain/resolution.test.ts'],
  },
  {
    title: 'another runner dials a service that wants to be left alone',
    file: 'src/store/sqlite/claim.ts',
    text: "if (heldUntil !== null) return held('service_hold', heldUntil);",
    replacement: '',
    tests: ['test/dispatch/service-hold.test.ts'],
  },
];
