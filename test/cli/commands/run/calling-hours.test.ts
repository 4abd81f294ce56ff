import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/runtime/clock.ts';
import type { PlanView } from '../../../../src/views/plan.ts';
import { desk, type Desk } from '../../../helpers/callsheet.ts';
import { LIVE, leadTo, livePhone } from '../../../helpers/services/live-service.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';

const PHONES = [0, 1, 2].map(livePhone);
const ZONE = ['--timezone', 'America/New_York'];
const AT_LIVE = ['--agent', 'ag_1', '--service-url', LIVE, ...ZONE];
const SETTINGS = ['--set', 'polling.floor=20ms', '--set', 'zones.unknown=America/New_York'];
const HERE = ['--db', 'calls.db'];
const RUN = ['run', 'leads.csv', ...AT_LIVE, ...SETTINGS, ...HERE, '--rules', 'polite.yaml'];
const POLITE = `about: hours of our own, on all weekdays
hours:
  mon-sat: 09:00-20:00
  sun: closed
  source: 'our works council'
  grade: J
  checked: 2026-11-23
`;
/** New York: Sunday 18:00, when these hours are closed, and Monday 15:00, when they are open. */
const SUNDAY = Date.parse('2026-11-22T23:00:00Z');
const MONDAY = Date.parse('2026-11-23T20:00:00Z');

/** A desk at a live service, whose clock goes on from `start`. */
async function aDeskAt(start: number) {
  const service = await voiceServer();
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('polite.yaml', POLITE);
  at.write('leads.csv', `Name,Mobile\nAl,${PHONES.join('\nBo,')}\n`);
  let begun = systemClock.now();
  let from = start;
  const clock = { ...systemClock, now: () => from + systemClock.now() - begun };
  const connect = leadTo({ [LIVE]: service.url });
  const run = async (argv: string[], typed = 'yes\n') => {
    const { code, out, err } = await at.run(argv, { clock, connect, typed });
    return { code, out, err: err.replaceAll(/\s+/g, ' ') };
  };
  const goTo = (moment: number) => {
    begun = systemClock.now();
    from = moment;
  };
  return { at, service, run, goTo };
}

async function historyOf(at: Desk, name: string): Promise<{ what: string; detail: object }[]> {
  const { out } = await at.run(['status', name, ...HERE, '--json']);
  return (JSON.parse(out) as { history: { what: string; detail: object }[] }).history;
}

describe('on a live service', () => {
  it('the rules are local where nobody chose any', async () => {
    const { service, run } = await aDeskAt(SUNDAY);
    const { code, err } = await run(['run', 'leads.csv', ...AT_LIVE, ...HERE]);
    expect(err).toContain('0 to call now');
    expect(err).toContain('rules local; database');
    expect(code).not.toBe(0);
    expect(service.dialled).toHaveLength(0);
  });

  it('a run outside the hours calls nobody, says when they open and goes on then', async () => {
    const { service, run, goTo } = await aDeskAt(SUNDAY);
    const { code, err } = await run(RUN);
    expect(err).toContain('0 to call now, 3 later');
    expect(err).toContain('rules polite; database');
    expect(err).toContain('no call begins in the last 2m of open hours');
    expect(err).toContain(
      'By hours and retries the next of 3 may be called Mon 2026-11-23 09:00 America/New_York',
    );
    expect(err).toContain('Nobody may be called now. The next hours open Mon 2026-11-23 09:00');
    expect(code).toBe(3);
    expect(service.dialled).toHaveLength(0);

    const status = await run(['status', 'leads', ...HERE]);
    expect(status.err).toContain('Mon 2026-11-23 09:00 America/New_York');
    const list = await run(['list', ...HERE]);
    expect(list.out).toContain('2026-11-23 09:00');

    goTo(MONDAY);
    expect((await run(['run', 'leads', ...HERE])).code).toBe(0);
    expect(service.dialled).toHaveLength(3);
  });

  it('--json has the opening, and not what the rules come to', async () => {
    const { run } = await aDeskAt(SUNDAY);
    const check = await run(['check', ...RUN.slice(1), '--json']);
    const plan = JSON.parse(check.out) as Record<string, unknown>;
    expect(plan).toMatchObject({
      callNow: 0,
      callLater: 3,
      callNever: 0,
      hours: { next: { at: '2026-11-23T09:00:00-05:00', by: 'polite' } },
    });
    expect(plan['settings']).not.toHaveProperty('policy');
    const ended = JSON.parse((await run([...RUN, '--json'])).out) as Record<string, unknown>;
    expect(ended).toMatchObject({ exitCode: 3, nextAt: '2026-11-23T09:00:00-05:00' });
  });

  it('hours that leave nobody any time are said by check and by the plan, and end a run with 5', async () => {
    const { service, run } = await aDeskAt(MONDAY);
    const night = ['--set', 'hours.from=02:00', '--set', 'hours.to=04:00'];
    const check = await run(['check', ...RUN.slice(1), ...night]);
    expect(check.err).toContain('0 to call now, 3 never');
    expect(check.err).toContain('3 people are never called');
    expect(check.err).toContain('Rules polite: 1 figure of 1 is weak (hours)');
    const { code, err } = await run([...RUN, ...night]);
    expect(err).toContain('A person is needed: nobody may ever be called: 3 leads wait.');
    expect(err).toContain('Choose other');
    expect(code).toBe(5);
    expect(service.dialled).toHaveLength(0);
  });

  it('people whose hours are closed when the schedule calls are never called, says check with and without a service', async () => {
    const { at, run, service } = await aDeskAt(SUNDAY);
    const london = '+442079460101';
    at.write('evening.csv', `phone\n${PHONES.join('\n')}\n${london}\n`);
    const evening = ['schedule=18:00 mon-fri', 'stop.at=21:00', 'rules=local'];
    const given = ['evening.csv', ...evening.flatMap((set) => ['--set', set])];
    const check = async (...argv: string[]) => {
      const { err, out } = await run(['check', ...given, ...argv]);
      const { out: json } = await run(['check', ...given, ...argv, '--json']);
      return { err: `${out}${err}`, plan: JSON.parse(json) as PlanView };
    };
    // On loopback, where fictional numbers are taken.
    const withService = [...['--service-url', service.url, '--agent', 'ag_1'], ...HERE, ...ZONE];
    for (const argv of [ZONE, withService]) {
      const { err, plan } = await check(...argv);
      expect(plan).toMatchObject({
        ...{ callNow: 0, callLater: 3, callNever: 1, nextAt: '2026-11-23T18:00:00-05:00' },
        begins: { when: 'tomorrow at 18:00' },
      });
      expect(err).toContain(
        '1 person is never called: schedule: their hours are closed when the schedule calls (in Europe/London). Choose other `schedule` or `rules`',
      );
      expect(err).toMatch(/In their own time, people are called from .* \(America\/New_York\)\./);
    }
    const { forecast } = (await check(...withService)).plan;
    expect(forecast).toMatchObject({ end: 'done', people: 3 });

    const imports = ['import', 'evening', ...given, ...withService, '--new-db'];
    expect(await run(imports)).toMatchObject({ code: 0 });
    const imported = await run(['check', 'evening', ...HERE]);
    expect(imported.err).toContain('3 to call from Mon 2026-11-23 18:00');
    expect(imported.err).toContain('1 never');
    const explained = await run(['explain', london, ...HERE]);
    expect(explained.out).toContain('their hours are closed when the schedule calls');
    expect(explained.out).not.toMatch(/next[^.]*2026-11-2/);
  });

  it('a single call holds to them, too', async () => {
    const { service, run } = await aDeskAt(SUNDAY);
    const call = ['call', PHONES[0] ?? '', ...AT_LIVE, ...SETTINGS, ...HERE];
    const refused = await run([...call, '--rules', 'polite.yaml']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('may not be called now');
    expect(refused.err).toContain('The hours open Mon 2026-11-23 09:00 America/New_York');
    expect(refused.err).toContain('--rules always');
    expect(service.dialled).toHaveLength(0);
    expect((await run([...call, '--rules', 'always'])).code).toBe(0);
    expect(service.dialled).toHaveLength(1);
  });

  it('a rule that wants a young suppression list or consent refuses what does not have it', async () => {
    const { at, service, run } = await aDeskAt(MONDAY);
    const federal = [...RUN.slice(0, -1), 'us-federal'];
    const consent = await run(federal);
    expect(consent).toMatchObject({ code: 2 });
    expect(consent.err).toContain('has no column that says who may be called');
    expect(consent.err).toContain('--map mayCall="NAME"');
    at.write('leads.csv', `Name,Mobile,Consent\nAl,${PHONES.join(',yes\nBo,')},yes\n`);
    const old = await run([...federal, '--map', 'mayCall=Consent']);
    expect(old).toMatchObject({ code: 2 });
    expect(old.err).toContain('rule us-federal allows 31 days');
    expect(service.dialled).toHaveLength(0);
    const any = await run([
      ...federal,
      '--map',
      'mayCall=Consent',
      '--set',
      'suppression.maxAge=none',
    ]);
    expect(any.code).toBe(0);
    expect(service.dialled).toHaveLength(3);
  });
});

describe('rules by default', () => {
  it('are always on a service on loopback, and local once the campaign moves to a live one', async () => {
    const { at, service, run } = await aDeskAt(SUNDAY);
    const here = ['--agent', 'ag_1', '--service-url', service.url, ...SETTINGS];
    const first = await run(['run', 'leads.csv', ...here, ...HERE, '--limit', '1']);
    expect(first.err).toContain('rules always; database');
    expect(service.dialled).toHaveLength(1);
    const moved = await run(['run', 'leads', '--service-url', LIVE, ...HERE]);
    expect(moved.err).toContain('rules always -> local (default on live services)');
    expect(moved.code).not.toBe(0);
    expect(service.dialled).toHaveLength(1);
    const changed = (await historyOf(at, 'leads')).find(({ what }) => what === 'campaign.changed');
    expect(changed?.detail).toMatchObject({ rules: { from: 'always', to: 'local' } });
  });

  it('stay always on a live service where a flag has said so', async () => {
    const { service, run } = await aDeskAt(SUNDAY);
    const here = ['--agent', 'ag_1', '--service-url', service.url, '--rules', 'always'];
    await run(['run', 'leads.csv', ...here, ...HERE, '--limit', '1', ...SETTINGS]);
    const moved = await run(['run', 'leads', '--service-url', LIVE, ...HERE]);
    expect(moved.err).toContain('rules always; database');
    expect(moved.code).toBe(0);
    expect(service.dialled).toHaveLength(3);
  });
});

describe('set', () => {
  it('changes rules, hours, holidays and retries, and the history keeps before and after in words', async () => {
    const { at, run } = await aDeskAt(SUNDAY);
    await run(RUN);
    const changed = await run([
      ...['set', 'leads', 'rules=us-debt', 'hours.from=18:00', 'hours.to=21:00'],
      ...['holidays=2026-12-24', 'retry.attempts=3', 'suppression.maxAge=none', ...HERE],
    ]);
    expect(changed.err).toContain(' -> us-debt');
    expect(changed.err).toContain('hours none -> 18:00-21:00');
    const last = (await historyOf(at, 'leads')).at(-1);
    expect(last?.detail).toEqual({
      rules: { from: at.path('polite.yaml'), to: 'us-debt', source: 'callsheet set' },
      hours: { from: 'none', to: '18:00-21:00', source: 'callsheet set' },
      holidays: { from: 'none', to: '2026-12-24', source: 'callsheet set' },
      retry: {
        from: 'none',
        to: '3 calls in all, at most 2 a day; after no answer 2 h, busy 30 min, voicemail 1 day; but at least 2 h apart',
        source: 'callsheet set',
      },
      'suppression.maxAge': { from: 'as the rules say', to: 'none', source: 'callsheet set' },
    });
    const night = await run(['set', 'leads', 'hours.from=20:00', 'hours.to=09:00', ...HERE]);
    expect(night.err).toContain("opens Monday 20:00 ends Tuesday 09:00 and counts as Monday's");
    const wrong = await run(['set', 'leads', 'rules=us-dept', ...HERE]);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err).toContain('did you mean "us-debt"?');
  });
});
