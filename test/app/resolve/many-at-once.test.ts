import { describe, expect, it } from 'vitest';
import { listDoubts, resolveDoubts } from '../../../src/app/resolve/resolve.ts';
import { systemClock, type Clock } from '../../../src/runtime/clock.ts';
import type { Io } from '../../../src/cli/io.ts';
import { desk } from '../../helpers/callsheet.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { hastyClock } from '../../helpers/hasty-clock.ts';
import { leadTo, LIVE, livePhone } from '../../helpers/services/live-service.ts';

const PHONES = [0, 1, 2].map(livePhone);
/** The last that is dialled, as an answer that names no call pauses the campaign. */
const TAKEN = PHONES[2];
const AT = { campaign: 'leads', db: undefined, services: undefined };
const NOT_PLACED = { as: 'not_placed' } as const;

/** Calls in doubt at a live service: the answers of two were lost, and it took the last one without an id. */
async function threeDoubts() {
  const service = await voiceServer({
    dial: ({ body }) =>
      body['phone_number'] === TAKEN ? { body: { ok: true } } : { status: 503, body: '' },
  });
  const connect = leadTo({ [LIVE]: service.url });
  // The service fails: minutes pass before the third dial.
  const hasty = hastyClock(400);
  const here = desk({ VOICE_API_URL: LIVE, VOICE_API_KEY: 'k' });
  here.write('leads.csv', `phone\n${PHONES.join('\n')}\n`);
  const set = [
    '--rules',
    'always',
    '--concurrency',
    '4',
    '--yes',
    '--new-db',
    '--set',
    'polling.floor=20ms',
  ];
  const run = ['run', 'leads.csv', '--agent', 'ag_1', ...set];
  expect(await here.run(run, { connect, clock: hasty })).toMatchObject({ code: 5 });
  const later: Clock = { ...systemClock, now: () => hasty.now() + 16 * 60_000 };
  const { cwd, env } = here;
  const world = (io: Partial<Io> = {}) => fakeWorld({ cwd, env, connect, clock: later, ...io });
  const ids = async () => {
    const { doubts } = await listDoubts(AT, world());
    return doubts.items.map(({ attempt }) => attempt);
  };
  const settle = async (attempts: readonly string[], as: typeof NOT_PLACED, yes: number) => {
    const asked = { ...AT, settle: { which: { attempts }, as }, note: null, yes };
    return (await resolveDoubts(asked, world())).report;
  };
  return { here, world, ids, settle };
}

describe('many calls in doubt, settled at once', () => {
  it('are settled where they can be; each other one is reported with its reason', async () => {
    const { world, ids, settle } = await threeDoubts();
    const [first = '', second = '', taken = ''] = await ids();
    const nobodyCanTell = { as: 'unconfirmed' } as const;
    const request = { ...AT, note: 'not in their log', yes: false };
    const bySomebodyElse = { which: { lead: first }, as: nobodyCanTell };
    await resolveDoubts({ ...request, settle: bySomebodyElse }, { ...world(), user: 'ben' });

    const report = await settle([first, second, taken, 'a999'], NOT_PLACED, 1);

    expect(report).toMatchObject({
      settled: [{ attempt: second, phone: PHONES[1], as: 'not_placed' }],
      refused: [
        { attempt: taken, phone: TAKEN, why: expect.stringContaining('2xx') as string },
        { attempt: first, phone: PHONES[0], why: 'ben has settled it already' },
        { attempt: 'a999', phone: null, line: null, why: 'it is not in doubt any more' },
      ],
      stillInDoubt: 1,
    });
    expect(await ids()).toEqual([taken]);
  });

  it('let people be called again only by a yes for at least as many as it concerns', async () => {
    const { world, ids, settle } = await threeDoubts();
    const all = await ids();
    expect((await listDoubts(AT, world())).doubts.needsYes).toBe(true);
    for (const yes of [0, 1])
      await expect(settle(all, NOT_PLACED, yes)).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    expect(await ids()).toEqual(all);
    expect((await settle(all, NOT_PLACED, 2)).settled).toHaveLength(2);
  });
});

describe('a call log that was sent', () => {
  const WHEN = (at: number) => new Date(at).toISOString();

  it('settles what it has once, after a yes that says how many, and names the file as it was sent', async () => {
    const { here, world, ids } = await threeDoubts();
    const [, second = ''] = await ids();
    const now = WHEN(world().clock.now() - 15 * 60_000);
    const other = livePhone(90);
    const rows = [`${PHONES[1]},c1,${now}`, `${PHONES[2]},c2,${now}`, `${PHONES[2]},c3,${now}`];
    const log = ['number,call id,started at', ...rows, `${other},c4,${now}`, `x,c5,${now}`];
    const from = here.write('up_1', `${log.join('\n')}\n`);
    const request = { ...AT, settle: { from, sentAs: 'calls.csv' }, note: null, yes: false };
    const asking = (answer: boolean) => {
      const asked: string[] = [];
      const told: string[] = [];
      const confirm = (question: string) => {
        asked.push(question);
        return Promise.resolve(answer);
      };
      const tell = (text: string) => void told.push(text);
      return { asked, told, world: { ...world(), attended: true, confirm, tell } };
    };

    const no = asking(false);
    await expect(resolveDoubts(request, no.world)).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    expect(no.asked).toEqual(['Type yes to settle 1 of 3 calls in doubt as made:']);
    expect(await ids()).toHaveLength(3);

    const yes = asking(true);
    const { report } = await resolveDoubts(request, yes.world);
    expect(report).toMatchObject({ settled: [{ attempt: second }], undecided: 2, stillInDoubt: 2 });
    const told = yes.told.join('\n');
    expect(told).toContain('calls.csv: 4 calls read.\n  not read: line 6: ');
    expect(told).toMatch(/line 3 .* is call c1 \(calls\.csv:2\)\./);
    expect(told).toMatch(/line 4 .* is ambiguous: lines 3, 4 fit/);
    expect(told).toMatch(/line 2 .* is not in the log/);
    expect(told).not.toContain(here.cwd);
  });

  it('that cannot be read is refused by the name that it was sent with', async () => {
    const { here, world } = await threeDoubts();
    const from = here.write('up_1', 'number,when\n1,2\n');
    const request = { ...AT, settle: { from, sentAs: 'calls.csv' }, note: null, yes: false };
    await expect(resolveDoubts(request, world())).rejects.toMatchObject({
      code: 'LOG_HAS_NO_COLUMN',
      message: expect.stringMatching(/^calls\.csv has no column for the time/) as string,
    });
  });
});
