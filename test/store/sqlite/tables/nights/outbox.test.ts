import { readdirSync, readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { CAMPAIGN } from '../../../../conformance/store/setup.ts';
import { START } from '../../../../helpers/clock.ts';
import { someSettings } from '../../../../helpers/factory.ts';
import { aDatabasePath, aStore } from '../../database.ts';

const FOLDER = new URL('../../../../../src/store/sqlite/migrations/', import.meta.url);

it('what waited before there was an outbox goes out, what had come or was given up does not', async () => {
  const path = aDatabasePath();
  const db = new Sqlite(path);
  const before = readdirSync(FOLDER).sort().slice(0, 34);
  for (const name of before) db.exec(readFileSync(new URL(name, FOLDER), 'utf8'));
  db.pragma(`user_version = ${before.length}`);
  db.pragma('application_id = 0x43414c4c');
  db.prepare(
    `INSERT INTO campaigns (id, name, kind, service, simulated, state, settings, created_at)
     VALUES (?, 'spring', 'list', 'main', 0, 'running', ?, 0)`,
  ).run(CAMPAIGN, JSON.stringify(someSettings()));
  const night = '2026-01-05';
  for (const [id, event] of [
    ['ntc_1', 'started'],
    ['ntc_2', 'attention'],
    ['ntc_3', 'attention'],
  ]) {
    const body = JSON.stringify({ id, event, night, reason: 'x', campaign: 'spring', text: id });
    db.prepare(
      'INSERT INTO notices (id, campaign_id, night, event, reason, at, last_at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(id, CAMPAIGN, night, event, 'x', START, START, body);
  }
  db.exec(
    `INSERT INTO notice_sends (notice_seq, target, shown, state, tries, next_at, why, ended_at) VALUES
     (2, 'aa', 'command a', 'waiting', 1, ${START + 1}, 'HTTP 503', ${START}),
     (2, 'bb', 'command b', 'sent', 1, ${START}, NULL, ${START}),
     (3, 'aa', 'command a', 'given_up', 9, ${START}, 'HTTP 500', ${START})`,
  );
  db.close();

  const store = aStore(path);

  expect(await store.outboxDue(START + 1)).toMatchObject([
    { id: 'ntc_2', target: 'aa', tries: 1, body: { text: 'ntc_2' } },
  ]);
  expect(await store.undelivered(0)).toMatchObject([
    { id: 'ntc_2', givenUp: false },
    { id: 'ntc_3', givenUp: true },
  ]);
  expect(await store.openNights(null)).toMatchObject([{ campaignId: CAMPAIGN, night }]);
});
