import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN, ENTRY } from '../../../../conformance/store/setup.ts';
import { START } from '../../../../helpers/clock.ts';
import { aPhone, someSettings } from '../../../../helpers/factory.ts';
import { aStore } from '../../../sqlite/database.ts';
import { anOldDatabase } from '../../../sqlite/old/old.ts';

/** A database from before nights were kept, with a running campaign of so many people whose calls are in these states. */
function anOlderDatabase(people: number, calls: [state: string, result: string | null][]): string {
  const path = anOldDatabase('0.2.0');
  const db = new Sqlite(path);
  db.prepare(
    `INSERT INTO campaigns (id, name, kind, service, simulated, state, settings, created_at)
     VALUES (?, 'spring', 'list', 'main', 0, 'running', ?, 0)`,
  ).run(CAMPAIGN, JSON.stringify(someSettings({ concurrency: 50 })));
  db.prepare(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at, finished_at)
     VALUES ('list', ?, 1, 'a.csv', 'a', '[]', 0, 0)`,
  ).run(CAMPAIGN);
  const lead = db.prepare(
    `INSERT INTO leads (campaign_id, list_id, position, line, phone, cells, state)
     VALUES (?, 'list', ?, ?, ?, '[]', ?)`,
  );
  const attempt = db.prepare(
    `INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, result, intent_at,
       holds_until, slot_until, owner_host, owner_boot, owner_pid, call_id, settled_at, next_look_at)
     VALUES (@key, @campaign, @row, @phone, 'main', 'ag_1', 1, @state, @result, @at, @at, @slot, '', '', 0, @key,
       iif(@state = 'settled', @at, NULL), iif(@state = 'placed', @at, NULL))`,
  );
  for (let i = 0; i < people; i += 1) {
    const call = calls[i];
    const state = call === undefined ? 'waiting' : 'calling';
    const row = lead.run(CAMPAIGN, i, i + 2, aPhone(i), state).lastInsertRowid;
    if (call === undefined) continue;
    const [was, result] = call;
    const slot = was === 'placed' || was === 'intent' ? START : null;
    const at = START - 60_000;
    attempt.run({ key: `k${i}`, campaign: CAMPAIGN, row, phone: aPhone(i), state: was, result, at, slot }); // prettier-ignore
  }
  db.close();
  return path;
}

describe('a campaign from before nights were kept', () => {
  it('has its calls in the budget of the campaign, and in that of no night', async () => {
    const path = anOlderDatabase(12, [
      ['settled', 'answered'],
      ['settled', 'voicemail'],
      ['placed', null],
      ['intent', null],
      ['released', null],
      ['no_result', null],
      ['rejected', null],
    ]);
    const store = aStore(path, { mode: 'write' });

    expect(await store.nights(CAMPAIGN)).toMatchObject([
      { night: '', calls: 4, refused: 1, notMade: 1, open: 1, stuck: 1, answered: 1, talkMs: 0 },
    ]);
    const settings = someSettings({ concurrency: 50, stop: { calls: 4, total: { calls: 8 } } });
    await store.changeCampaign(CAMPAIGN, { settings }, ENTRY);
    expect(await store.budget(CAMPAIGN, START)).toMatchObject({
      tonight: { calls: 0 },
      campaign: { calls: 5, open: 2 },
      more: 3,
      limit: { by: 'stop.total.calls' },
    });
  });
});
