import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../src/store/sqlite/file/connection.ts';
import { fileEngine } from '../../../src/store/sqlite/open.ts';
import { sqlOf } from '../../../src/store/sql/sql.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { aDatabasePath } from '../sqlite/database.ts';
import { makeState, STATES } from './deciding.ts';
import { PAIRS, wrongOrders, type Arena } from './interleave.ts';

const room = { giveUp: () => false, timesGivenUp: () => 0 };
it.each(STATES)(
  'two stores in turn give only what a serial order gives, campaign %s',
  async (state) => {
    const arena = await anArena(state);
    const wrong: string[] = [];
    for (const pair of PAIRS) wrong.push(...(await wrongOrders(arena, pair)));
    expect(wrong).toEqual([]);
  },
);

async function anArena(state: (typeof STATES)[number]): Promise<Arena> {
  const path = aDatabasePath();
  const open = () => {
    const db = openConnection({ path, mode: 'write' });
    // Of thousands of databases none outlives its test.
    db.pragma('synchronous = OFF');
    return db;
  };
  let connections = [open(), open()] as const;
  const close = () => {
    for (const db of connections) db.close();
  };
  onTestFinished(close);
  const store = (at: 0 | 1, afterGathering: (flush: () => void) => void) =>
    createStore(fileEngine(connections[at], { name: path, path }, { room }), { afterGathering });
  await makeState(store(0, queueMicrotask), state);
  connections[0].pragma('wal_checkpoint(TRUNCATE)');
  const tables = sqlOf(connections[0]).values<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  )();
  close();
  const bytes = readFileSync(path);
  return {
    rows: () =>
      tables.map((table) =>
        connections[0].prepare(`SELECT '${table}', * FROM ${table}`).raw().all().toSorted(),
      ),
    begin: (afterGathering) => {
      close();
      writeFileSync(path, bytes);
      connections = [open(), open()];
      return { one: store(0, afterGathering), other: store(1, queueMicrotask) };
    },
  };
}
