import { describe, expect, it } from 'vitest';
import { nightsOutcome } from '../../../../src/cli/print/nights.ts';
import type { NightView } from '../../../../src/views/results.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts';
import type { Desk } from '../../../helpers/callsheet.ts';
import { printFittedTable } from '../../../../src/cli/print/outcome.ts';
import { fakeIo } from '../../../helpers/fake-io.ts';
import { aDesk, json, RUN } from '../desk.ts';

const DATED = ['--set', 'results.file=out/leads-{date}.csv'];
const NIGHT = '2026-01-05';

/** Two nights: one call on a fixed date, the others today. */
async function twoNights() {
  const { at, service } = await aDesk();
  await at.run([...RUN, ...DATED, '--limit', '1']);
  await asOf(at, NIGHT);
  return { at, service };
}

/** Gives the calls so far another date. */
async function asOf(at: Desk, night: string): Promise<void> {
  const { default: Sqlite } = await import('better-sqlite3');
  const db = new Sqlite(at.path('data/callsheet.db'));
  db.prepare('UPDATE attempts SET night = ?').run(night);
  const from = Date.parse(`${night || NIGHT}T23:00:00Z`);
  db.prepare('UPDATE nights SET night = ?, began_at = ?, last_at = ?').run(
    ...[night, from, from + 30 * 60_000],
  );
  db.close();
}

describe('nights', () => {
  it('are a line each, with why they ended and their sum, and the same as JSON', async () => {
    const { at } = await twoNights();
    await at.run(['run', 'leads']);

    const { out, err, code } = await at.run(['report', '--by', 'night', 'leads']);

    expect(code).toBe(0);
    expect(out).toMatch(
      /^NIGHT +CALLED +MADE +REFUSED +DOUBT +NOT MADE +ANSWERED +TALK +COST +ENDED +FILE\n/,
    );
    expect(out).toMatch(
      /\nMon 2026-01-05 +18:00-18:30 +1 +0 +0 +0 +1 \(100%\) +\d+ s .* limit of calls +yes\n/,
    );
    expect(out).toMatch(
      / 2 +0 +0 +0 +2 \(100%\) +\d+ s .* all final +yes\n2 nights +- +3 +0 +0 +0 +3 \(100%\)/,
    );
    expect(err.replaceAll(/\s+/g, ' ')).toContain('/out/leads-{date}.csv');
    expect(await json(at, ['report', '--by', 'night', 'leads'])).toMatchObject({
      campaign: 'leads',
      older: 0,
      items: [
        {
          ...{ night: NIGHT, made: 1, ended: 1, answered: 1, answerRate: 1 },
          ...{ inProgress: 0, inDoubt: 0, end: 'limit', endedBy: null, why: 'limit of calls' },
          firstCallAt: '2026-01-05T18:00:00-05:00',
        },
        { made: 2, refused: 0, notMade: 0, end: 'final' },
      ],
      totals: { nights: 2, made: 3, answered: 3, answerRate: 1, inDoubt: 0 },
    });
    const last = (await json(at, ['report', '--by', 'night', 'leads', '--limit', '1'])) as object;
    expect(last).toMatchObject({ items: [{ made: 2 }], totals: { made: 3 }, older: 1 });
  });

  it('are none before the first call, and a rehearsal of an older version is one line', async () => {
    const { at } = await aDesk();
    await at.run(['import', 'leads', 'leads.csv', '--agent', 'ag_1']);
    expect((await at.run(['report', '--by', 'night', 'leads'])).err).toContain(
      'leads has called nobody yet',
    );
    await at.run(RUN);
    await asOf(at, '');
    const { out } = await at.run(['report', '--by', 'night', 'leads']);
    expect(out).toMatch(/\nbefore +- +3 +0 +0 +0 +3 \(100%\) .* - +-\n0 nights/);
    expect(await json(at, ['report', 'leads', '--night', 'before'])).toMatchObject({
      night: 'before',
      figures: { calls: { made: 3 } },
    });
  });

  it('fit in 100 columns, where columns of zeros are left out', () => {
    const night: NightView = {
      ...{ night: NIGHT, made: 12_345, ended: 12_345, answered: 11_111, talkMs: 2e8 },
      ...{ refused: 0, inDoubt: 12, notMade: 0 },
      ...{ firstCallAt: `${NIGHT}T00:00:00Z`, lastCallAt: `${NIGHT}T23:00:00Z`, inProgress: 0 },
      ...{ costs: [{ currency: 'EUR', amount: '1234.56' }], endedBy: 'stop.answered' },
      ...{ answerRate: 0.9, end: 'budget', why: 'answer budget' },
      ...{ resultsFile: '/out/spring-2026-01-05.csv', resultsAt: null, resultsMachine: 'host-2' },
    };
    const view = {
      ...{ campaign: 'spring', timezone: 'UTC', items: [night], older: 0 },
      totals: { ...night, nights: 1 },
    };
    const { fitted, hints } = nightsOutcome(view, 'host-1');
    expect(hints?.[0]).toBe('Results of 1 night: /out/spring-{date}.csv on host-2');
    expect(nightsOutcome(view, 'host-2').hints?.[0]).toMatch(/[.]csv$/);
    const io = fakeIo({ cwd: '/', stdoutIsTty: true, columns: 100 });
    if (fitted !== undefined) printFittedTable(io, ...fitted);
    expect(io.out()).toMatch(/^NIGHT .* FILE\n/);
    const widths = io
      .out()
      .split('\n')
      .map((line) => line.length);
    expect(Math.max(...widths)).toBeGreaterThan(80);
    expect(Math.max(...widths)).toBeLessThanOrEqual(100);
  });
});

describe('one night', () => {
  it('has a summary, a report and calls of its own', async () => {
    const { at } = await twoNights();
    await at.run(['run', 'leads']);

    expect((await at.run(['report', 'leads', '--night', NIGHT])).out).toMatch(
      /^leads, night of Mon 2026-01-05: 1 lead, 1 done, 0 in progress, 0 waiting; 1 call made, 0 refused, 0 in doubt, 0 not made\n/,
    );
    expect(await json(at, ['report', 'leads', '--night', 'last'])).toMatchObject({
      figures: { leads: { total: 2, done: 2 }, calls: { made: 2 } },
    });
    await at.run(['report', 'leads', '--night', 'last', '-o', 'last.html']);
    const text = at
      .read('last.html')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain('the calls of one night');
    expect(text).toContain('Since the night before');
    expect(text).toMatch(
      /Night of Mon 2026-01-05 \w{3} \d{4}-\d\d-\d\d Calls made 1 2 Refused 0 0 In doubt 0 0 Not made 0 0 Answered 1 \(100%\) 2 \(100%\) Talk time of all calls .* Asked not to be called again 0 0/,
    );
    expect(text).toMatch(/Final by calls of this night .* answered a person spoke 2 100%/);
    expect(text).toContain('All 2 calls made, 0 refused, 0 in doubt;');
    const rows = await at.run([
      ...['export', 'leads', '-o', '-', '--columns', 'name'],
      ...['--per', 'attempt', '--night', NIGHT],
    ]);
    expect(rows.out).toBe('name\r\nAl\r\n');
  });

  it.each([
    [['report', 'leads'], 'Campaign "leads" has no night "2026-01-09" with calls; there are '],
    [['report', 'leads', '-o', 'x.html'], ' 2026-01-05.'],
    [['export', 'leads', '-o', 'x.csv', '--per', 'attempt'], 'take one of these, or last'],
    [['export', 'leads', '-o', 'x.csv'], '--night is about calls; it goes with --per attempt.'],
  ])('that there is not is refused by %j, with those that there are', async (argv, message) => {
    const { at } = await twoNights();
    const { code, err } = await at.run([...argv, '--night', '2026-01-09']);
    expect(code).toBe(2);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(at.has('x.csv') || at.has('x.html')).toBe(false);
  });
});

describe('results.file', () => {
  it('with {date} has the date of tonight, for run, collect and export, and a page beside it', async () => {
    const { at } = await aDesk();
    const { err } = await at.run([...RUN, ...DATED]);
    const file = /out\/leads-\d{4}-\d\d-\d\d/.exec(err)?.[0] ?? '';
    expect(at.read(`${file}.csv`).split('\r\n')).toHaveLength(5);
    expect(at.read(`${file}.html`)).toContain('The first night');
    expect((await at.run(['export', 'leads'])).err).toContain(`${file}.csv`);
    const store = openSqliteStore({ path: at.path('data/callsheet.db'), mode: 'read' });
    const [campaign] = await store.listCampaigns();
    const [night] = await store.nights(campaign?.id ?? '');
    await store.close();
    expect(night).toMatchObject({ resultsFile: at.path(`${file}.csv`), endReason: 'final' });
    expect(night?.resultsAt).not.toBeNull();
  });

  it('with a page that callsheet did not write is refused before anybody is called', async () => {
    const { at, service } = await aDesk();
    const { err } = await at.run([...RUN, ...DATED, '--limit', '1']);
    const file = /out\/leads-\d{4}-\d\d-\d\d/.exec(err)?.[0] ?? '';
    at.write(`${file}.html`, '<p>mine</p>');

    const again = await at.run(['run', 'leads']);

    expect(again.code).toBe(2);
    expect(again.err.replaceAll(/\s+/g, ' ')).toContain(
      'nothing in it says that callsheet wrote it',
    );
    expect(service.dialled).toHaveLength(1);
  });
});
