import { expect, it, onTestFinished } from 'vitest';
import type * as Opening from '../../../src/store/postgres/open.ts';
import type * as Server from '../../../src/store/postgres/server.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { allRows, rowCopier } from './rows.ts';
import { makeState, STATES } from '../serial/deciding.ts';
import { PAIRS, wrongOrders, type Arena } from '../serial/interleave.ts';
import { aSchema, built } from './a-schema.ts';

const { serverEngine } = await built<typeof Server>('server');
const { migrateServer } = await built<typeof Opening>('open');

it.each(STATES)(
  'two machines in turn give only what a serial order gives, campaign %s',
  async (state) => {
    const arena = await anArena(state);
    const wrong: string[] = [];
    for (const pair of PAIRS) wrong.push(...(await wrongOrders(arena, pair)));
    expect(wrong).toEqual([]);
  },
  600_000,
);

async function anArena(state: (typeof STATES)[number]): Promise<Arena> {
  const [kept, played] = [aSchema(), aSchema()];
  for (const options of [kept, played]) await migrateServer(options);
  const source = serverEngine(kept);
  await makeState(createStore(source, { afterGathering: queueMicrotask }), state);
  const [first, second] = [serverEngine(played), serverEngine(played)];
  onTestFinished(() => {
    for (const engine of [source, first, second]) engine.close();
  });
  const putBack = rowCopier(source.db, kept.schema, played.schema);
  return {
    rows: allRows(source.db, played.schema),
    begin: (afterGathering) => {
      putBack();
      return {
        one: createStore(first, { afterGathering }),
        other: createStore(second, { afterGathering: queueMicrotask }),
      };
    },
  };
}
