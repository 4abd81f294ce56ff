import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { ATTEMPT_STATES, HOLDING_STATES, OPEN_CALL_STATES } from '../../../src/domain/attempt.ts';
import { CAMPAIGN_STATES, PAUSE_REASONS } from '../../../src/domain/campaign.ts';
import { LEAD_RESULTS, LEAD_STATES, RESULT_SOURCES } from '../../../src/domain/lead.ts';
import { RESOLUTIONS } from '../../../src/domain/resolution.ts';
import { aConnection, aDatabasePath } from './database.ts';

describe('the schema', () => {
  it('holds every table to its types', () => {
    const db = aConnection(aDatabasePath());
    const loose = db
      .prepare("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'")
      .all();

    expect(loose).toEqual([]);
  });

  it.each<[string, string, readonly string[]]>([
    ['attempts', 'state', ATTEMPT_STATES],
    ['leads', 'state', LEAD_STATES],
    ['leads', 'result', LEAD_RESULTS],
    ['leads', 'result_source', RESULT_SOURCES],
    ['attempts', 'resolution', RESOLUTIONS],
    ['attempts', 'result', LEAD_RESULTS],
    ['attempts', 'result_source', RESULT_SOURCES],
    ['campaigns', 'state', CAMPAIGN_STATES],
    ['campaigns', 'pause_reason', PAUSE_REASONS],
  ])('knows exactly the words of the domain in %s.%s', (table, column, words) => {
    expect(wordsAllowed(table, column)).toEqual([...words]);
  });

  it('counts the same states as holding a slot as the domain does', () => {
    const [, states] =
      /\(slot_until IS NOT NULL\) = \((state = '[^)]*)\)/.exec(sqlOf('attempts')) ?? [];

    expect(wordsIn(states ?? '', 'state')).toEqual([...HOLDING_STATES]);
    expect(sqlOf('attempts_holding')).toMatch(/\) WHERE slot_until IS NOT NULL$/);
  });

  it('plans polls of exactly the calls that the domain counts as open', () => {
    const [, states] =
      /CHECK \(\((state = '[^)]*)\) = \(next_poll_at IS NOT NULL\)\)/.exec(sqlOf('attempts')) ?? [];

    expect(wordsIn(states ?? '', 'state')).toEqual([...OPEN_CALL_STATES]);
    expect(sqlOf('attempts_to_poll')).toMatch(/\) WHERE next_poll_at IS NOT NULL$/);
  });
});

describe('the schema refuses', () => {
  const refused: [string, string, string][] = [
    ['a second open attempt for a lead', anAttempt({ ordinal: '2' }), 'attempts.lead_row'],
    [
      'an unknown attempt beside an open one',
      anAttempt({ ordinal: '2', state: 'unknown' }),
      'attempts.lead_row',
    ],
    [
      'two attempts with one ordinal of a lead that count',
      anAttempt({ state: 'rejected' }),
      'attempts.lead_row, attempts.ordinal',
    ],
    [
      'a second attempt with one number',
      anAttempt({ seq: '1', ordinal: '2', state: 'rejected' }),
      'attempts.seq',
    ],
    [
      'one call for two attempts',
      `UPDATE attempts SET call_id = 'call_1';
       ${anAttempt({ ordinal: '2', state: 'rejected', call_id: "'call_1'" })}`,
      'attempts.call_id',
    ],
    [
      'a word that is no state',
      anAttempt({ ordinal: '2', state: 'dialled' }),
      "state = 'intent' OR",
    ],
    ...['placed', 'ended', 'settled', 'no_result'].map((state): [string, string, string] => [
      `an attempt that is ${state} without a call id`,
      `UPDATE attempts SET state = '${state}', settled_at = iif('${state}' = 'settled', 1, NULL),
         next_poll_at = iif('${state}' IN ('placed', 'ended'), 1, NULL),
         slot_until = iif('${state}' = 'placed', 1, NULL)`,
      'call_id IS NOT NULL',
    ]),
    [
      'a placed call that nobody will poll',
      "UPDATE attempts SET state = 'placed', call_id = 'call_1'",
      'next_poll_at IS NOT NULL',
    ],
    [
      'a poll of what is no open call',
      'UPDATE attempts SET next_poll_at = 1',
      'next_poll_at IS NOT',
    ],
    [
      'a settled time before the end',
      'UPDATE attempts SET settled_at = 1',
      'settled_at IS NOT NULL',
    ],
    ['an attempt of nobody', anAttempt({ ordinal: '2', lead_row: '9' }), 'FOREIGN KEY'],
    [
      'a resolution without its time',
      "UPDATE attempts SET resolution = 'placed', resolved_by = 'ada'",
      'resolved_at IS NULL',
    ],
    [
      'a resolution of nobody',
      "UPDATE attempts SET resolution = 'placed', resolved_at = 1",
      'resolved_by IS NULL',
    ],
    [
      'a call in progress that holds no slot',
      'UPDATE attempts SET slot_until = NULL',
      'slot_until IS NOT NULL',
    ],
    [
      'a slot of a call that is over',
      "UPDATE attempts SET state = 'rejected'",
      'slot_until IS NOT NULL',
    ],
    [
      'an attempt that counts among the released ones',
      'UPDATE attempts SET released = seq',
      'released = 0',
    ],
    ['an attempt number 0', 'UPDATE attempts SET ordinal = 0', 'ordinal >= 1'],
    [
      'a lead that is done without a result',
      "UPDATE leads SET state = 'done'",
      'result IS NOT NULL',
    ],
    [
      'a result of a lead that is not done',
      "UPDATE leads SET result = 'answered', result_source = 'service'",
      'result IS NOT NULL',
    ],
    [
      'a result that nobody stands for',
      "UPDATE leads SET state = 'done', result = 'answered'",
      'result_source IS NULL',
    ],
    ['a negative number of attempts', 'UPDATE leads SET spent = -1', 'spent >= 0'],
    ['a person twice in a campaign', aLeadRow({ position: '9' }), 'leads.phone'],
    ['a phone number without its country', "UPDATE leads SET phone = '2125550123'", 'phone GLOB'],
    [
      'a pause without a reason',
      "UPDATE campaigns SET state = 'paused'",
      'pause_reason IS NOT NULL',
    ],
    [
      'a reason without a pause',
      "UPDATE campaigns SET pause_reason = 'key'",
      'pause_reason IS NOT',
    ],
    ['two campaigns with one name', aCampaignRow('cmp_2'), 'campaigns.name'],
    [
      'a list twice in a campaign',
      `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at)
       SELECT 'list_2', campaign_id, 2, path, sha256, headers, at FROM lists`,
      'lists.sha256',
    ],
    [
      'a delivery twice',
      `INSERT INTO inbox (id, service, key, received_at, headers, body) VALUES ('d1', 'main', 'e1', 1, '{}', x'00');
       INSERT INTO inbox (id, service, key, received_at, headers, body) VALUES ('d2', 'main', 'e1', 1, '{}', x'00')`,
      'inbox.key',
    ],
  ];

  it.each(refused)('%s', (_, sql, why) => {
    const db = aDatabaseWithAnAttempt();

    expect(() => db.exec(sql)).toThrow(why);
  });
});

describe('the schema allows', () => {
  it.each([
    [
      'a new attempt in the place of a released one',
      "state = 'released', slot_until = NULL, released = seq",
      {},
    ],
    ['another attempt once the first one is over', "state = 'unconfirmed'", { ordinal: '2' }],
  ])('%s', (_, change, columns) => {
    const db = aDatabaseWithAnAttempt();
    db.exec(`UPDATE attempts SET ${change}`);

    expect(() => db.exec(anAttempt(columns))).not.toThrow();
  });
});

function aDatabaseWithAnAttempt(): Database {
  const db = aConnection(aDatabasePath());
  db.exec(aCampaignRow('cmp_1'));
  db.exec(
    `INSERT INTO lists (id, campaign_id, number, path, sha256, headers, at)
     VALUES ('list_1', 'cmp_1', 1, 'leads.csv', 'aa11', '[]', 1)`,
  );
  db.exec(aLeadRow({}));
  db.exec(anAttempt({}));
  return db;
}

function aCampaignRow(id: string): string {
  return `INSERT INTO campaigns (id, name, kind, service, simulated, state, settings, created_at)
    VALUES ('${id}', 'spring', 'list', 'main', 0, 'running', '{}', 1)`;
}

function aLeadRow(columns: Record<string, string>): string {
  const row = { position: '1', phone: '+12125550123', ...columns };
  return `INSERT INTO leads (row, campaign_id, list_id, position, line, phone, cells)
    VALUES (${row.position}, 'cmp_1', 'list_1', ${row.position}, 2, '${row.phone}', '[]')`;
}

function anAttempt(columns: Record<string, string>): string {
  const row = {
    seq: 'NULL',
    state: 'intent',
    lead_row: '1',
    ordinal: '1',
    call_id: 'NULL',
    ...columns,
  };
  return `INSERT INTO attempts (seq, key, campaign_id, lead_row, phone, service, agent, ordinal, state,
      intent_at, holds_until, slot_until, owner_host, owner_boot, owner_pid, call_id)
    VALUES (${row.seq}, 'k', 'cmp_1', ${row.lead_row}, '+12125550123', 'main', 'ag_1', ${row.ordinal},
      '${row.state}', 1, 2, iif('${row.state}' IN ('intent', 'unknown'), 2, NULL), 'host', 'boot', 3, ${row.call_id})`;
}

/** The words of a column's CHECK (column IN (...)). */
function wordsAllowed(table: string, column: string): string[] {
  return wordsIn(sqlOf(table), column);
}

function sqlOf(name: string): string {
  const db = aConnection(aDatabasePath());
  return String(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name));
}

/** The words of the first `column = 'one' OR column = 'another' ...`. */
function wordsIn(sql: string, column: string): string[] {
  const one = `${column} = '[^']*'`;
  const list = new RegExp(`\\b${one}(\\s+OR\\s+${one})*`).exec(sql)?.[0] ?? '';
  return [...list.matchAll(/'([^']*)'/g)].map(([, word]) => word ?? '');
}
