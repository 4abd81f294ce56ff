// Mistakes that only a PostgreSQL server shows; see ../faults.mjs for what is in them, and postgres.mjs for how they are tried.
const CONNECTION = 'src/store/postgres/connection.ts';
const SERVER = 'src/store/postgres/server.ts';
const [LOCK, RECOVERY, REFUSALS] = ['lock', 'recovery', 'refusals'].map(
  (name) => `test/store/postgres/${name}.ts`,
);

const OF_MACHINES = 'test/store/postgres/machines.ts';
const MACHINES = 'src/store/postgres/machines.ts';

const OF_MOVE = 'test/store/postgres/move.ts';
const MOVE = 'src/store/postgres/move.ts';

export const POSTGRES_FAULTS = [
  {
    title: 'no tombstone after move',
    file: MOVE,
    text: 'file.prepare("INSERT INTO meta VALUES (\'moved_to\', ?)").run(url);',
    replacement: '',
    tests: [OF_MOVE],
    named: 'goes on',
  },
  {
    title: 'sequence not advanced by move',
    file: MOVE,
    text: 'if (!isAgain) advance(sql, table, from);',
    replacement: '',
    tests: [OF_MOVE],
    named: 'goes on',
  },
  {
    title: 'writers do not take the lock',
    file: CONNECTION,
    text: "'BEGIN; SELECT 1 FROM store FOR UPDATE'",
    replacement: "'BEGIN'",
    tests: [LOCK],
  },
  {
    title: 'the default isolation of the server holds, whose snapshots are older than the lock',
    file: CONNECTION,
    text: "SET default_transaction_isolation = 'read committed'",
    replacement: 'SELECT 1',
    tests: [LOCK],
    named: 'shows its holder',
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
  {
    title: 'nobody waits for the dial journal of another machine',
    file: MACHINES,
    text: 'return gate?.awaited !== 0 || gate.isPaused',
    replacement: 'return gate?.isPaused === true',
    tests: [OF_MACHINES],
  },
  {
    title: 'a journal is waited for until a machine was not seen for an hour',
    file: MACHINES,
    text: "const IS_AWAITED = 'left_at IS NULL AND",
    replacement: "const IS_AWAITED = 'left_at IS NULL AND seen_at > 1e15 AND",
    tests: [OF_MACHINES],
  },
  {
    title: 'numbers of attempts go on as before in another copy',
    file: MACHINES,
    text: 'const JUMP = 1_000_000;',
    replacement: 'const JUMP = 0;',
    tests: [OF_MACHINES],
  },
  {
    title: 'a connection to another copy is not noticed',
    file: CONNECTION,
    text: 'if (greeting !== undefined) wire.ask({ statements: [greeting] });',
    replacement: '',
    tests: [OF_MACHINES],
  },
  {
    title: 'a machine that finds lost calls tells no other one',
    file: MACHINES,
    text: 'if (restored > 0 && isChecked === 1) nextGeneration();',
    replacement: '',
    tests: [OF_MACHINES],
  },
  {
    title: 'a machine counts as checked before its journal was compared',
    file: MACHINES,
    text: '(SELECT generation FROM store) ELSE checked END',
    replacement: 'checked ELSE checked END',
    tests: [OF_MACHINES],
  },
  {
    title: 'another copy is called from at once',
    file: MACHINES,
    text: 'const PAUSE_MS = 30_000;',
    replacement: 'const PAUSE_MS = -30_000;',
    tests: [OF_MACHINES],
  },
  {
    title: 'a machine that calls nobody shows its journal to no other copy',
    file: MACHINES,
    text: 'if (comparedOn !== connection || selectGate(id)?.isChecked === false) compare(options);',
    replacement: '',
    tests: [OF_MACHINES],
    named: 'and works connects again',
  },
  {
    title: 'what is found of a call that a copy lacks ends the run',
    file: MACHINES,
    text: 'if (!(error instanceof NoAttempt)) throw error;',
    replacement: 'throw error;',
    tests: [OF_MACHINES],
    named: 'is kept there',
  },
];
