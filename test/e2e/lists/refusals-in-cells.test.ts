import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import {
  HARMLESS as HARMLESS_TEXTS,
  HERE,
  REFUSING as REFUSING_TEXTS,
} from '../../leads/columns/refusal-table.ts';
import { csv } from './csv.ts';

const SET = ['--agent', AGENT, '--set', 'polling.floor=20ms', '--rules', 'always'];

async function aDesk() {
  const service = await simulatedService({ fixedCallMs: 10 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  return {
    at,
    rang: () => service.ledger().map((entry) => entry.phone_number),
  };
}

/** Calls a list of one row a cell, and says for each cell whether its person rang, and is on the suppression list. */
async function runCells(header: string, cells: readonly string[]) {
  const { at, rang } = await aDesk();
  at.write('leads.csv', csv([['phone', header], ...cells.map((cell, n) => [aPhone(n), cell])]));
  const { code, err } = await at.run(['run', 'leads.csv', ...SET]);
  const listed = (await at.run(['suppress', 'list'])).out;
  const rung = rang();
  const said = cells.map((cell, n) => {
    const phone = aPhone(n);
    const what = rung.includes(phone) ? 'rang' : 'silent';
    return [cell, listed.includes(phone) ? `${what}, suppressed` : what];
  });
  return {
    code,
    err,
    said: Object.fromEntries(said) as Record<string, string>,
  };
}

const all = (cells: readonly string[], what: string) =>
  Object.fromEntries(cells.map((cell) => [cell, what]));

/** Statuses by which nobody rings, in any campaign. */
const REFUSING = [
  'Cease & Desist',
  'Consent revoked',
  'GDPR objection - phone',
  'Removal requested',
  'Take me off your list',
  'Do not recall',
  'Attorney represented',
  'möchte nicht mehr angerufen werden',
  'ne souhaite plus être appelé',
  "Retirer de la liste d'appels",
  'no volver a llamar',
  'solicita baja llamadas',
  'remover da lista de ligações',
  'ønsker ikke at blive ringet op',
  'prosił o niedzwonienie',
  'nem kér több hívást',
  'внесён в стоп-лист',
  'μην ξανακαλέσετε',
  '別再打電話',
  '客户要求不再联系',
];

/** Statuses that sound like a refusal and are none. */
const HARMLESS = [
  'Call blocked by carrier - retry',
  'Phone busy (DND mode), try later',
  'No DNC',
  'DNC: no',
  'DNC clean',
  'Removed from DNC',
  'Not suppressed',
  'Did not opt out',
  'Not blacklisted',
  'Unsubscribed (email only)',
  'Unsubscribed from SMS',
  'Newsletter unsubscribed',
  'DNC scrub ok',
  'Robinsonliste geprüft: nein',
  'non ancora chiamato',
];

describe('a status', () => {
  it('is judged by who rings: those that refuse, and those that deny it or are about something else', async () => {
    const some = (table: readonly { text: string }[]) =>
      table.filter((_, n) => n % 3 === 0).map(({ text }) => text);
    const refusing = [...REFUSING, ...some(REFUSING_TEXTS)];
    const harmless = [...HARMLESS, ...some(HARMLESS_TEXTS), 'New'];
    const here = some(HERE);
    const cells = [...new Set([refusing, harmless, here].flat())];
    const { code, said } = await runCells('Status', cells);
    expect(code).toBe(0);
    expect(said).toEqual({
      ...all(refusing, 'silent, suppressed'),
      ...all(harmless, 'rang'),
      ...all(here, 'silent'),
    });
  });

  it('of somebody who cannot be called holds for this campaign alone', async () => {
    const cells = ['Deceased', 'Wrong number', 'Inactive', 'Blocked', 'Active = No', 'do not use'];
    const { err, said } = await runCells('Status', [...cells, 'New']);
    expect(said).toEqual({ ...all(cells, 'silent'), New: 'rang' });
    expect(err).toContain('is not called by this campaign ("Status": "Deceased")');
  });

  it.each([
    'Do not call after 6pm',
    'Do not call at work',
    'Wants callback, do not call mornings',
    'nicht vor 10 Uhr anrufen',
  ])('that refuses calls at times is asked about: %s', async (cell) => {
    const { code, err, said } = await runCells('Status', [cell, 'New']);
    expect([code, said]).toEqual([2, all([cell, 'New'], 'silent')]);
    expect(err).toContain(cell.slice(0, 20));
  });
});

/** The same clock, some days on. */
const inDays = (days: number) => {
  const on = days * 86_400_000;
  return { clock: { ...systemClock, now: () => systemClock.now() + on } };
};
const dayIn = (days: number) => new Date(inDays(days).clock.now()).toISOString().slice(0, 10);

describe('a day in a list', () => {
  it('holds a refusal until it is over: then the same campaign calls', async () => {
    const { at, rang } = await aDesk();
    const rows = [
      [aPhone(0), `Do not call until ${dayIn(20)}`, ''],
      [aPhone(1), 'New', dayIn(20)],
      [aPhone(2), 'New', dayIn(-20)],
      [aPhone(3), 'New', ''],
      // The second row of a person who has one without a day.
      [aPhone(3), `Do not call until ${dayIn(20)}`, ''],
    ];
    at.write('leads.csv', csv([['phone', 'Status', 'DNC expiry date'], ...rows]));

    await at.run(['run', 'leads.csv', ...SET]);
    expect(rang()).toEqual([aPhone(2)]);
    expect((await at.run(['suppress', 'list'])).out).not.toContain(aPhone(0));
    const { out } = await at.run(['explain', aPhone(0)]);
    expect(out).toContain(`"Status" says "Do not call until ${dayIn(20)}"`);

    await at.run(['run', 'leads'], inDays(19));
    expect(rang()).toEqual([aPhone(2)]);
    await at.run(['run', 'leads'], inDays(23));
    expect(rang().toSorted()).toEqual([0, 1, 2, 3].map(aPhone));
  });

  it('ends a consent, in a cell or in a column of its own', async () => {
    const { at, rang } = await aDesk();
    const rows = [
      [aPhone(0), `valid until ${dayIn(-5)}`, ''],
      [aPhone(1), `valid until ${dayIn(40)}`, ''],
      [aPhone(2), 'yes', dayIn(-5)],
      [aPhone(3), 'yes', dayIn(40)],
      [aPhone(4), 'yes', ''],
      [aPhone(5), 'no', dayIn(40)],
    ];
    at.write('leads.csv', csv([['phone', 'Consent to call', 'Consent valid until'], ...rows]));

    const { err } = await at.run(['run', 'leads.csv', ...SET]);

    expect(rang().toSorted()).toEqual([1, 3, 4].map(aPhone));
    expect(err).toContain('its consent has ended');
    const listed = (await at.run(['suppress', 'list'])).out;
    expect([listed.includes(aPhone(0)), listed.includes(aPhone(5))]).toEqual([false, true]);
  });

  it('ends a consent between the import and the call', async () => {
    const { at, rang } = await aDesk();
    const rows = [
      [aPhone(0), `gültig bis ${dayIn(10)}`],
      [aPhone(1), 'ja'],
    ];
    at.write('leads.csv', csv([['phone', 'Einwilligung Telefon'], ...rows]));
    await at.run(['import', 'spring', 'leads.csv', ...SET]);

    await at.run(['run', 'spring', ...SET], inDays(11));

    expect(rang()).toEqual([aPhone(1)]);
    const { out } = await at.run(['explain', '--calls', aPhone(0)]);
    expect(out).toContain('the consent in the list has ended');
  });
});

describe('suppress undo', () => {
  it('takes back what one list has put there, and nothing of others', async () => {
    const { at, rang } = await aDesk();
    const wrong = [0, 1, 2, 3].map((n) => [aPhone(n), 'yes']);
    at.write('wrong.csv', csv([['phone', 'DNC'], ...wrong, [aPhone(9), 'no']]));
    at.write(
      'right.csv',
      csv([
        ['phone', 'DNC'],
        [aPhone(1), 'yes'],
        [aPhone(8), 'no'],
      ]),
    );
    await at.run(['run', 'wrong.csv', ...SET]);
    await at.run(['run', 'right.csv', ...SET]);
    await at.run(['suppress', 'add', aPhone(2), '--note', 'by mail']);

    const asked = await at.run(['suppress', 'undo', '--list', 'wrong.csv']);
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('4 numbers')]);
    expect(asked.err).toContain('2 of them stay');
    expect((await at.run(['suppress', 'list'])).out).toContain(aPhone(0));

    const done = await at.run(['suppress', 'undo', '--list', 'wrong.csv', '--yes']);
    expect([done.code, done.err]).toEqual([0, expect.stringContaining('2 numbers may be called')]);
    const { out } = await at.run(['suppress', 'list']);
    expect([0, 1, 2, 3].filter((n) => out.includes(aPhone(n)))).toEqual([1, 2]);
    expect(out).toContain('by mail');
    at.write('all.csv', csv([['phone'], ...[0, 1, 2, 3].map((n) => [aPhone(n)])]));
    await at.run(['run', 'all.csv', '--again', ...SET]);
    expect(rang().toSorted()).toEqual([0, 3, 8, 9].map(aPhone).toSorted());
    const again = await at.run(['suppress', 'undo', '--list', 'wrong.csv', '--yes']);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('right.csv')]);
  });
});
