// Mistakes that only a PostgreSQL server shows; see ../faults.mjs for what is in them, and postgres.mjs for how they are tried.
const CONNECTION = 'src/store/postgres/connection.ts';
const SERVER = 'src/store/postgres/server.ts';
const [LOCK, RECOVERY, REFUSALS] = ['lock', 'recovery', 'refusals'].map(
  (name) => `test/store/postgres/${name}.ts`,
);

export const POSTGRES_FAULTS = [
  {
    title: 'writers do not take the lock',
    file: CONNECTION,
    text: "'BEGIN; SELECT 1 FROM store FOR UPDATE'",
    replacement: "'BEGIN'",
    tests: [LOCK],
  },
  {
    title: 'a commit whose answer is lost counts as not made',
    file: CONNECTION,
    text: 'throw isLost ? new CommitUnknown(id, error) : error;',
    replacement: 'throw error;',
    tests: [RECOVERY],
    named: 'after it',
  },
  {
    title: 'a commit whose answer is lost counts as made',
    file: CONNECTION,
    text: 'throw isLost ? new CommitUnknown(id, error) : error;',
    replacement: 'if (!isLost) throw error; transaction = undefined; return;',
    tests: [RECOVERY],
    named: 'before it arrives',
  },
  {
    title: 'a transaction leaves no row by which it is looked up',
    file: CONNECTION,
    text: "transaction === 'write' ? `${note}; COMMIT` : 'COMMIT'",
    replacement: "'COMMIT'",
    tests: [RECOVERY],
    named: 'after it',
  },
  {
    title: 'a commit that the standby has not confirmed counts as made',
    file: CONNECTION,
    text: 'if (answer.isWarned !== true) return;',
    replacement: 'if (answer !== undefined) return;',
    tests: [RECOVERY],
    named: 'standby',
  },
  {
    title: 'a pooler is taken for a server',
    file: SERVER,
    text: 'if (facts.isPooled)',
    replacement: 'if (false)',
    tests: [REFUSALS],
    named: 'pooler',
  },
  {
    title: 'a server that confirms what it has not written is taken',
    file: SERVER,
    text: "['off', 'local'].includes(facts.synchronousCommit)",
    replacement: "['off'].includes(facts.synchronousCommit)",
    tests: [REFUSALS],
    named: 'synchronous_commit local',
  },
  {
    title: 'the clock of a server may be wrong',
    file: SERVER,
    text: 'if (facts.clockOffMs > MOST_CLOCK_DIFFERENCE_MS)',
    replacement: 'if (false)',
    tests: [REFUSALS],
    named: 'is judged',
  },
];
