import { describe, expect, it } from 'vitest';
import type { Openings } from '../../../src/domain/calling/openings.ts';
import { judged } from '../../../src/app/run/situation.ts';
import { statusOf, type CampaignRead } from '../../../src/app/sentences/situations.ts';
import { asSentence, counted, shellWord } from '../../../src/text/wording.ts';
import { timeToday } from '../../../src/cli/args/moments.ts';
import type { Campaign, Progress } from '../../../src/store/port.ts';
import type { Begins } from '../../../src/views/campaigns.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign } from '../../helpers/factory.ts';

const NOBODY = { runner: null, calls: null, since: null, by: null, lostAt: null };

/** The end of a campaign that was read like this, while hours are open and nothing else is the matter. */
function exitReason(
  of: Campaign,
  counts: Progress,
  now: number,
  {
    hours,
    budget = null,
    works = NOBODY,
    ...end
  }: CampaignRead['end'] & Partial<CampaignRead> = {},
) {
  return judged({
    ...NOTHING_ELSE,
    now,
    campaign: of,
    progress: counts,
    works,
    hours: hours ?? openings({ now: counts.waiting }),
    budget,
    end,
  }).exit;
}

const NOTHING_ELSE = {
  ...{ now: START, works: NOBODY, unfinished: undefined, budget: null, gates: [] },
  ...{ serviceSlots: null, failing: null, isListTooOld: false, end: {} },
};

const campaign = (overrides: Partial<Campaign> = {}): Campaign => ({
  ...aCampaign(),
  state: 'running',
  pauseReason: null,
  pauseDetail: null,
  version: 1,
  ...overrides,
});
const progress = (overrides: Partial<Progress> = {}): Progress => ({
  total: 9,
  waiting: 0,
  calling: 0,
  unknown: 0,
  done: 9,
  results: {},
  held: 0,
  open: 0,
  doubts: 0,
  dials: { made: 9, refused: 0, inDoubt: 0, notMade: 0 },
  answered: 0,
  lastCallAt: null,
  nextDueAt: null,
  ...overrides,
});
const paused = (pauseReason: Campaign['pauseReason']) =>
  campaign({ state: 'paused', pauseReason, pauseDetail: 'HTTP 401: no.' });

const openings = (overrides: Partial<Openings> = {}): Openings => ({
  now: 0,
  later: 0,
  never: 0,
  next: null,
  shut: [],
  ...overrides,
});

describe('the end of a campaign whose calling hours are closed', () => {
  const OPENS = Date.parse('2026-01-06T14:00:00Z');
  const next = { at: OPENS, zoneKey: 'America/Chicago;US-TX', by: 'us-states', why: 'outside' };
  const inNewYork = campaign({
    settings: { ...aCampaign().settings, timezone: 'America/New_York' },
  });
  const waiting = progress({ waiting: 2 });

  it('is 3 with the next opening, in the time of the campaign and of the person', () => {
    const hours = openings({ later: 2, next });
    expect(exitReason(inNewYork, waiting, START, { dispatch: 'later', hours })).toMatchObject({
      code: 3,
      nextAt: OPENS,
      why: 'Nobody may be called now. The next hours open Tue 2026-01-06 09:00 America/New_York, which is Tue 08:00 America/Chicago (us-states). 2 leads wait; `callsheet run spring` goes on.',
    });
  });

  it('is 3 with the time at which the next person is due, where that decides', () => {
    const hours = openings({ later: 2, next: { ...next, by: null } });
    const { why, nextAt } = exitReason(inNewYork, waiting, START, { hours });
    expect(why).toContain(
      'The next is due Tue 2026-01-06 09:00 America/New_York, which is Tue 08:00',
    );
    expect(nextAt).toBe(OPENS);
  });

  it('is 3 without an opening while hours are open for somebody', () => {
    const hours = openings({ now: 1, later: 1, next });
    expect(exitReason(inNewYork, waiting, START, { hours })).toMatchObject({
      code: 3,
      nextAt: null,
      why: '2 leads wait; `callsheet run spring` goes on.',
    });
  });

  it.each([
    ['zones.unknown', 'zones.unknown=us48'],
    ['hours', 'Choose other `hours` or `rules`'],
    ['us-states', 'Choose other `rules` or `hours`'],
  ])('is 5 with the remedy where %s lets nobody ever be called', (by, remedy) => {
    const shut = [{ by, why: 'no hour is left', people: 2, zones: [] }];
    const end = exitReason(inNewYork, waiting, START, { hours: openings({ never: 2, shut }) });
    expect(end).toMatchObject({ code: 5, nextAt: null });
    expect(end.why).toContain(`nobody may ever be called: 2 leads wait. ${by}: no hour is left.`);
    expect(end.why).toContain(remedy);
  });
});

it('a campaign that is paused is only resumed where a process calls it already', () => {
  const works = { ...NOBODY, runner: 'serve', calls: 'serve', since: START };
  const { why } = exitReason(paused('operator'), progress({ waiting: 2 }), START, { works });
  expect(why).toBe('The campaign is paused: 2 leads wait; `callsheet resume spring` goes on.');
});

it('a campaign that is paused goes on with a resume, whatever else a person is needed for', () => {
  const counts = progress({ waiting: 2, doubts: 1 });
  expect(exitReason(paused('operator'), counts, START).why).toContain(
    'settles it. 2 leads wait; `callsheet resume spring` goes on.',
  );
  const { why } = exitReason(paused('operator'), counts, START, { dispatch: 'disk_full' });
  expect(why).toContain('Make room; `callsheet resume spring` then goes on.');
});

describe('the command that a person gives next', () => {
  it('has a word in capitals for what only they know', () => {
    const shut = [{ by: 'hours', why: 'no hour is left', people: 2, zones: [] }];
    const hours = openings({ never: 2, shut });
    const read = { ...NOTHING_ELSE, campaign: campaign(), progress: progress({ waiting: 2 }) };
    expect(judged({ ...read, hours }).todo).toBe('callsheet set spring KEY=VALUE');
    expect(judged({ ...read, hours: openings({ now: 2 }) }).todo).toBe('callsheet run spring');
  });
});

describe('the exit code of a campaign', () => {
  const everything = progress({ waiting: 2, open: 3, doubts: 1 });

  it('is 130 after Ctrl-C, whatever else holds', () => {
    expect(exitReason(paused('key'), everything, START, { interrupted: true })).toMatchObject({
      code: 130,
      why: 'Interrupted: 2 leads wait; `callsheet run spring` goes on. 3 calls are still open; `callsheet collect spring` brings them in.',
    });
  });

  it('is 130 after Ctrl-C, and what is said is what is left to do', () => {
    const why = (some: Partial<Progress>, of = campaign()) =>
      exitReason(of, progress(some), START, { interrupted: true });
    expect(why({})).toMatchObject({
      code: 130,
      why: 'Interrupted: every lead is final all the same.',
    });
    expect(why({ open: 1 }).why).toBe(
      'Interrupted: nobody waits to be called. 1 call is still open; `callsheet collect spring` brings it in.',
    );
    expect(why({ doubts: 1 }).why).toBe(
      'Interrupted: nobody waits; `callsheet resolve spring` settles 1 call in doubt.',
    );
    expect(why({ waiting: 2 }, campaign({ state: 'cancelled' })).why).toBe(
      'Interrupted: the campaign is cancelled.',
    );
    expect(why({ waiting: 2 }, paused('operator')).why).toBe(
      'Interrupted: the campaign is paused: 2 leads wait; `callsheet resume spring`, then `callsheet run spring`.',
    );
  });

  it('is 4 when the key was refused, before a doubt', () => {
    expect(exitReason(paused('key'), everything, START)).toMatchObject({ code: 4 });
    expect(exitReason(campaign(), everything, START, { keyRefused: true })).toMatchObject({
      code: 4,
    });
  });

  it.each(['profile', 'breaker'] as const)('is 5 after the pause for %s', (reason) => {
    const { code, why } = exitReason(paused(reason), progress(), START);
    expect(code).toBe(5);
    expect(why).toBe(
      'Paused, a person is needed: HTTP 401: no. Mend that; `callsheet run spring` then asks the service again and goes on.',
    );
  });

  it('is 5 for a doubt or a database that cannot be written, before waiting leads', () => {
    expect(exitReason(campaign(), everything, START).code).toBe(5);
    const failing = exitReason(campaign(), progress(), START, { dispatch: 'store_failing' });
    expect(failing.code).toBe(5);
  });

  it('is 5 for a disk with little room while somebody waits, and what to do', () => {
    const seen = { dispatch: 'disk_full' } as const;
    expect(exitReason(campaign(), progress({ waiting: 2 }), START, seen)).toEqual({
      code: 5,
      attention: 'disk_full',
      why: 'A person is needed: the disk of the database has less than 64 MB free, so no more calls are made; 2 leads wait. Make room; `callsheet run spring` then goes on.',
      nextAt: null,
    });
    expect(exitReason(campaign(), progress(), START, seen).code).toBe(0);
  });

  it('names the process that goes on by itself after that, or after a doubt', () => {
    const works = { ...NOBODY, calls: '`callsheet serve`' };
    const why = (some: Partial<Progress>, dispatch: 'disk_full' | null) =>
      exitReason(campaign(), progress({ waiting: 2, ...some }), START, { works, dispatch }).why;
    expect(why({}, 'disk_full')).toMatch(/Make room; `callsheet serve` then goes on\.$/);
    expect(why({ doubts: 1 }, null)).toMatch(/2 leads wait; `callsheet serve` calls\.$/);
  });

  it('is 0 for a paused campaign in which nobody is left to call, and says that it stays paused', () => {
    expect(exitReason(paused('operator'), progress(), START)).toEqual({
      code: 0,
      why: 'Every lead is final. The campaign stays paused.',
      nextAt: null,
    });
    expect(exitReason(paused('operator'), progress({ open: 1 }), START).code).toBe(3);
  });

  it('is 3 for leads that wait, with the time when one is due', () => {
    const due = START + 60_000;
    const later = progress({ waiting: 1, nextDueAt: due });
    expect(exitReason(campaign(), later, START)).toEqual({
      code: 3,
      why: '1 lead waits; `callsheet run spring` goes on.',
      nextAt: due,
    });
    const held = exitReason(campaign(), progress({ waiting: 2, nextDueAt: 0 }), START, {
      dispatch: 'later',
      nextAt: due,
    });
    expect(held).toMatchObject({ code: 3, nextAt: due });
    const doubtful = progress({ waiting: 2, doubts: 1 });
    expect(exitReason(campaign(), doubtful, START, { nextAt: due })).toMatchObject({
      code: 5,
      nextAt: due,
    });
    const now = progress({ waiting: 1, nextDueAt: 0 });
    expect(exitReason(campaign(), now, START, { dispatch: 'until' })).toMatchObject({
      why: 'Stopped at --until: 1 lead waits; `callsheet run spring` goes on.',
      nextAt: null,
    });
    expect(exitReason(paused('operator'), now, START).code).toBe(3);
    const open = exitReason(campaign(), progress({ open: 1 }), START);
    expect(open.code).toBe(3);
    expect(open.why).toContain('1 call is still open; `callsheet collect spring` brings it in.');
  });

  it('is 0 when every lead is final, and for a cancelled campaign without open calls', () => {
    expect(exitReason(campaign(), progress(), START)).toEqual({
      code: 0,
      why: 'Every lead is final.',
      nextAt: null,
    });
    const cancelled = campaign({ state: 'cancelled' });
    expect(exitReason(cancelled, progress({ waiting: 3 }), START).code).toBe(0);
    expect(exitReason(cancelled, progress({ open: 3 }), START).code).toBe(3);
  });
});

describe('words', () => {
  it('are counted as a person does', () => {
    expect([counted(0, 'row'), counted(1, 'row'), counted(20_000, 'row')]).toEqual([
      '0 rows',
      '1 row',
      '20,000 rows',
    ]);
  });

  it('end with one full stop', () => {
    expect(['a', 'a.', 'a?', ' a... '].map(asSentence)).toEqual(['a.', 'a.', 'a?', 'a...']);
  });

  it('of a command are quoted where a shell needs it', () => {
    expect(['spring', 'spring renewals', "it's"].map(shellWord)).toEqual([
      'spring',
      "'spring renewals'",
      `'it'\\''s'`,
    ]);
  });
});

describe('a time of day', () => {
  it('is that of today in the zone, and of another day where that is said', () => {
    // START is 15:00 in UTC and 10:00 in New York.
    expect(timeToday('--until', '21:00', START, 'America/New_York')).toBe(START + 11 * 3_600_000);
    const tomorrow = timeToday('--until', '2026-01-06 09:00', START, 'America/New_York');
    expect(tomorrow).toBe(START + 23 * 3_600_000);
    expect(timeToday('--until', '15:00', START, 'UTC')).toBe(START);
  });
});

describe('the end of a campaign whose budget is used up', () => {
  const NEXT = START + 19 * 3_600_000;
  const spent = { calls: 9, open: 0, stuck: 0, answered: 0, talkMs: 0, unpriced: 0, costs: {} };
  const budget = (until: 'night' | 'change', by: string) => ({
    night: { date: '2026-01-05', beginsAt: 0, endsAt: NEXT },
    next: { date: '2026-01-06', beginsAt: NEXT, endsAt: NEXT + 1 },
    tonight: spent,
    campaign: spent,
    more: 0,
    limit: { by, until, why: `tonight's budget of 9 calls is used up (${by})` },
    goesOnAt: until === 'night' ? NEXT : null,
  });
  const waiting = progress({ waiting: 2, nextDueAt: START });

  it('is 3 with the night on which it goes on', () => {
    const seen = { dispatch: 'later', budget: budget('night', 'stop.calls') } as const;
    expect(exitReason(campaign(), waiting, START, seen)).toEqual({
      code: 3,
      nextAt: NEXT,
      why: "Tonight's budget of 9 calls is used up (stop.calls); goes on with the next night, Tue 2026-01-06. 2 leads wait; `callsheet run spring` goes on.",
    });
  });

  it('is 5 where only a person can change it', () => {
    const seen = { dispatch: 'budget', budget: budget('change', 'stop.total.calls') } as const;
    expect(exitReason(campaign(), waiting, START, seen)).toEqual({
      code: 5,
      attention: 'budget',
      nextAt: null,
      why: "A person is needed: tonight's budget of 9 calls is used up (stop.total.calls); `callsheet set spring stop.total.calls=...` sets another one, stop.total.calls=none takes it away. 2 leads wait.",
    });
  });

  it('is 0 where nobody waits any more', () => {
    const seen = { budget: budget('night', 'stop.calls') };
    expect(exitReason(campaign(), progress(), START, seen)).toMatchObject({ code: 0 });
  });
});

describe('the status of a page', () => {
  const AT = Date.parse('2026-01-05T23:20:00Z');
  const since = Date.parse('2026-01-05T23:00:00Z');
  const works = { runner: 'pid 7', calls: 'pid 7', since, by: 'serve on host-1', lostAt: null };
  const lost = { ...NOBODY, lostAt: since };
  const eight = Date.parse('2026-01-06T13:00:00Z');
  const next = { at: eight, zoneKey: 'Europe/London', by: 'uk', why: 'outside' };
  const closed = openings({ later: 3, next });
  const three = progress({ waiting: 3, done: 6 });
  const onLine = { open: 2, calling: 2, held: 2 };
  const FULL: Pick<CampaignRead, 'gates'> = { gates: [{ why: 'no_free_slot', until: null }] };
  const read = (more: Partial<CampaignRead> = {}) => {
    const found = {
      ...NOTHING_ELSE,
      now: AT,
      campaign: campaign(),
      progress: three,
      works,
      ...more,
    };
    const all = { ...found, hours: more.hours ?? openings({ now: found.progress.waiting }) };
    const { is, text, reason } = statusOf(all, judged(all).situation, null);
    return [is, text, reason];
  };

  it.each<[name: string, Partial<CampaignRead>, is: string, text: string, reason: string | null]>([
    ['calls', {}, 'calling', 'Calling since 18:00, by serve on host-1.', null],
    [
      'waits for its hours',
      { hours: closed },
      'waiting',
      'Waiting for Tue 2026-01-06 08:00, by serve on host-1: nobody may be called before.',
      null,
    ],
    [
      'has a service that fails',
      { failing: { since, why: 'HTTP 503' } },
      'still',
      'Standing still since 18:00: the service does not answer, by serve on host-1.',
      'HTTP 503.',
    ],
    [
      'has calls in doubt, and calls',
      { progress: { ...three, doubts: 1 } },
      'needs_you',
      'Calling since 18:00, by serve on host-1. Needs you: some calls are in doubt.',
      'It is not known whether 1 call was made; nobody is called again for it.',
    ],
    [
      'has calls in doubt, which hold every slot',
      { ...FULL, progress: { ...three, doubts: 5, held: 5, calling: 5, unknown: 5 } },
      'needs_you',
      'Needs you: some calls are in doubt.',
      'It is not known whether 5 calls were made; nobody is called again for them. Calls that may not have been made hold every slot; they give it back when that is known.',
    ],
    [
      'was killed',
      { works: lost },
      'interrupted',
      'Interrupted at 18:00: the process that called has ended without a word.',
      '3 people wait.',
    ],
    [
      'was killed and has calls in doubt',
      { works: lost, progress: { ...three, doubts: 2 } },
      'needs_you',
      'Interrupted at 18:00: the process that called has ended without a word. Needs you: some calls are in doubt.',
      'It is not known whether 2 calls were made; nobody is called again for them.',
    ],
    [
      'has no process',
      { works: NOBODY },
      'still',
      'Standing still: 3 people wait, and nobody calls.',
      null,
    ],
    ['is paused', { campaign: paused('operator') }, 'paused', 'Paused: 3 people wait.', null],
    [
      'is paused for its key',
      { campaign: paused('key'), works: NOBODY },
      'needs_you',
      'Needs you: the service refused the key.',
      'HTTP 401: no.',
    ],
    [
      'has a draft',
      { campaign: campaign({ state: 'draft' }), works: NOBODY },
      'draft',
      'Not started: 3 people wait.',
      null,
    ],
    [
      'waits for results alone',
      { progress: progress({ open: 2, calling: 2, done: 7 }) },
      'waiting',
      'Nobody waits; 2 calls have no result yet, by serve on host-1.',
      null,
    ],
    [
      'calls the last of its people',
      { progress: progress({ ...onLine, done: 7 }) },
      'calling',
      'Nobody waits; 2 calls are on the line, by serve on host-1.',
      null,
    ],
    [
      'is on the line while hours are closed',
      { progress: { ...three, ...onLine }, hours: closed },
      'calling',
      '2 calls are on the line, by serve on host-1; nobody new before Tue 2026-01-06 08:00.',
      null,
    ],
    [
      'is on the line while the service asks for a pause',
      {
        progress: { ...three, ...onLine },
        gates: [{ why: 'service_backoff', until: AT + 600_000 }],
      },
      'calling',
      '2 calls are on the line, by serve on host-1; nobody new before 18:30: the service asked for no calls until then.',
      null,
    ],
    [
      'is on the line while the service fails',
      { progress: { ...three, ...onLine }, failing: { since, why: 'HTTP 503' } },
      'still',
      '2 calls are on the line; nobody new since 18:00: the service does not answer, by serve on host-1.',
      'HTTP 503.',
    ],
    [
      'is on the line and needs a newer list',
      { progress: { ...three, ...onLine }, isListTooOld: true },
      'needs_you',
      '2 calls are on the line. Needs you: the suppression list is too old.',
      null,
    ],
    [
      'is on the line, and nobody calls more',
      { progress: { ...three, ...onLine }, works: { ...works, calls: null } },
      'still',
      '2 calls are on the line; 3 people wait, and nobody calls them.',
      null,
    ],
    [
      'is on the line and paused',
      { progress: { ...three, ...onLine }, campaign: paused('operator') },
      'paused',
      'Paused: 3 people wait; 2 calls are on the line.',
      null,
    ],
    [
      'fills its slots itself',
      { progress: { ...three, ...onLine }, ...FULL },
      'calling',
      'Calling since 18:00, by serve on host-1.',
      null,
    ],
    [
      'waits for slots that other campaigns hold',
      { ...FULL, serviceSlots: 4 },
      'waiting',
      'Waiting, by serve on host-1: other campaigns hold every slot of main (4).',
      null,
    ],
    [
      'waits for slots that doubts and other campaigns hold',
      { ...FULL, serviceSlots: 4, progress: { ...three, held: 1, calling: 1, unknown: 1 } },
      'waiting',
      'Waiting, by serve on host-1: other campaigns and calls that may not have been made hold every slot of main (4).',
      null,
    ],
    [
      'waits for slots that doubts hold',
      { ...FULL, progress: { ...three, held: 5, calling: 5, unknown: 5 } },
      'waiting',
      'Waiting, by serve on host-1: calls that may not have been made hold every slot; they give it back when that is known.',
      null,
    ],
    [
      'is over',
      { progress: progress(), works: lost },
      'over',
      'Done: everybody has a result.',
      null,
    ],
    [
      'is cancelled',
      { campaign: campaign({ state: 'cancelled' }), progress: progress({ open: 1, calling: 1 }) },
      'over',
      'Cancelled; 1 call has no result yet.',
      null,
    ],
  ])('of a campaign that %s', (_, more, ...expected) => {
    expect(read(more)).toEqual(expected);
  });

  it('says when calls begin where a process waits for that', () => {
    const text = 'Calling starts tonight at 18:00.';
    const ahead = { at: '2026-01-05T18:00:00-05:00', until: null, then: null, isOn: true };
    const begins = { ...ahead, when: 'tonight at 18:00', text };
    const said = (doing: CampaignRead['works'], more: Partial<Begins> = {}) => {
      const all = { ...NOTHING_ELSE, now: AT, campaign: campaign(), progress: three, works: doing };
      const found = { ...all, hours: openings({ now: 3 }) };
      return statusOf(found, judged(found).situation, { ...begins, ...more });
    };
    const waiting = { is: 'waiting', text, reason: null };
    expect([said(NOBODY), said(lost)]).toEqual([waiting, waiting]);
    expect(said(lost, { at: null })).toMatchObject({ is: 'interrupted', reason: '3 people wait.' });
    expect(said(NOBODY, { isOn: false })).toMatchObject({ is: 'still', reason: null });
  });

  it('has no word of a terminal, nor a number of a process', () => {
    for (const hours of [closed, undefined])
      for (const doing of [works, lost, NOBODY])
        expect(read({ works: doing, ...(hours && { hours }) }).join(' ')).not.toMatch(/`|--|pid/);
  });
});
