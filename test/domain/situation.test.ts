import { describe, expect, it } from 'vitest';
import {
  SITUATIONS,
  situationOf,
  type SituationFacts,
  type SituationWord,
  type Work,
} from '../../src/domain/situation.ts';
import { START } from '../helpers/clock.ts';

const SOON = START + 60_000;
const LATER = START + 3_600_000;
const two = { waiting: 2, calling: 0, unknown: 0, held: 0, open: 0, doubts: 0, nextDueAt: null };
/** One person is on the line. */
const line = { calling: 1, held: 1, open: 1 };
const nobody = { ...two, waiting: 0 };

/** A campaign with two people who may be called now, and nobody who calls them. */
const facts = (some: Partial<SituationFacts> = {}): SituationFacts => ({
  now: START,
  state: 'running',
  pauseReason: null,
  progress: two,
  works: 'nobody',
  unfinished: null,
  hours: { now: 2, later: 0, nextAt: null },
  budget: null,
  gates: [],
  isFailing: false,
  isListTooOld: false,
  end: {},
  ...some,
});
const paused = (pauseReason: SituationFacts['pauseReason']) =>
  ({ state: 'paused', pauseReason }) as const;
const shut = (why: string, until: number | null = null) => ({ gates: [{ why, until }] });
const spent = (until: 'calls_end' | 'night' | 'change', goesOnAt: number | null = null) => ({
  budget: { until, goesOnAt },
});

/** What makes each situation, alone; then its exit, the command, and when people may be called. */
type Row = readonly [Partial<SituationFacts>, string, string | null, number | null];
const ROWS: Readonly<Record<SituationWord, Row>> = {
  interrupted: [{ end: { interrupted: true } }, 'interrupted', 'run', null],
  key: [paused('key'), 'key', 'run', null],
  profile: [paused('profile'), 'person', 'run', null],
  breaker: [paused('breaker'), 'person', 'run', null],
  database: [{ end: { dispatch: 'store_failing' } }, 'person', 'run', null],
  disk_full: [shut('disk_full'), 'person', 'run', null],
  machines: [shut('machines_awaited'), 'person', 'machines list', null],
  list_too_old: [{ isListTooOld: true }, 'person', 'suppress import FILE --as-of DAY', null],
  doubts: [
    { progress: { ...two, doubts: 1, nextDueAt: SOON } },
    ...(['person', 'resolve', SOON] as const),
  ],
  cancelled: [{ state: 'cancelled', progress: nobody }, 'ok', null, null],
  paused: [paused('operator'), 'waiting', 'resume', null],
  importing: [{ unfinished: 'going_on' }, 'waiting', null, null],
  import: [{ unfinished: 'resumable' }, 'person', 'run', null],
  never_open: [{ hours: { now: 0, later: 0, nextAt: null } }, 'person', 'set', null],
  budget: [spent('change'), 'person', 'set', null],
  budget_tonight: [spent('night', LATER), 'waiting', 'run', LATER],
  budget_in_use: [spent('calls_end'), 'waiting', 'run', null],
  draft: [{ state: 'draft' }, 'waiting', 'run', null],
  failing: [{ isFailing: true }, 'waiting', null, null],
  hours: [{ hours: { now: 0, later: 2, nextAt: LATER } }, 'waiting', 'run', LATER],
  backoff: [shut('service_backoff', SOON), 'waiting', 'run', SOON],
  no_free_slot: [shut('no_free_slot'), 'waiting', 'run', null],
  pace: [shut('pace', SOON), 'waiting', 'run', null],
  waiting: [{}, 'waiting', 'run', null],
  collecting: [{ progress: { ...nobody, open: 1 } }, 'waiting', 'collect', null],
  final: [{ progress: nobody }, 'ok', null, null],
};

describe('the situation of a campaign', () => {
  it.each(SITUATIONS)('is %s by what makes it, with its exit, command and time', (is) => {
    const [made, exit, todo, until] = ROWS[is];
    const attention = exit === 'person' || exit === 'key' ? is : null;
    const found = situationOf(facts(made));
    expect(found).toMatchObject({ is, exit, todo, until });
    expect(found.attention).toBe(attention);
  });

  it('is the first that holds of several, and names all of them in their order', () => {
    const all = SITUATIONS.filter((word) => !['profile', 'breaker', 'paused'].includes(word));
    const made = all
      .filter((word) => !['cancelled', 'collecting', 'final', 'draft', 'import'].includes(word))
      .map((word) => ROWS[word][0]);
    const merged: SituationFacts = facts(
      made.reverse().reduce<Partial<SituationFacts>>((all, some) => ({ ...all, ...some }), {}),
    );
    const gates = made.flatMap((some) => some.gates ?? []);
    const end = { interrupted: true, dispatch: 'store_failing' };
    const found = situationOf({ ...merged, gates, end });
    expect(found.is).toBe('interrupted');
    expect(found.all).toEqual(SITUATIONS.filter((word) => found.all.includes(word)));
    expect(found.all).toEqual(
      expect.arrayContaining(['key', 'database', 'disk_full', 'list_too_old', 'importing', 'pace']),
    );
  });

  it('is that calls are in doubt, also of a cancelled campaign', () => {
    const doubts = { ...nobody, doubts: 1 };
    expect(situationOf(facts({ state: 'cancelled', progress: doubts })).is).toBe('doubts');
  });

  it('is shown as running only while somebody is on the line, or the next person may be called', () => {
    const runningBy = (works: Work, more: Partial<typeof two> = {}) =>
      SITUATIONS.filter((is) => {
        const [made] = ROWS[is];
        const progress = { ...(made.progress ?? two), ...more };
        return situationOf(facts({ ...made, progress, works })).shown === 'running';
      });

    expect(runningBy('calls')).toEqual(['pace', 'waiting']);
    const others = ['key', 'profile', 'breaker', 'paused', 'cancelled', 'draft'];
    const started = SITUATIONS.filter((is) => !others.includes(is));
    expect(runningBy('calls', line)).toEqual(started);
    // Only results are awaited, or it is not known whether anybody is called.
    expect(runningBy('calls', { calling: 1, open: 1 })).toEqual(['pace', 'waiting']);
    expect(runningBy('calls', { ...line, unknown: 1 })).toEqual(['pace', 'waiting']);
    for (const works of ['collects', 'nobody'] as const) expect(runningBy(works, line)).toEqual([]);
    const doubt = { ...two, doubts: 1 };
    expect(situationOf(facts({ progress: doubt, works: 'calls' })).shown).toBe('running');
  });

  it('calls more only where nothing but its own calls keeps the next person', () => {
    const callsMore = (more: Partial<SituationFacts>) =>
      situationOf(facts({ works: 'calls', ...more })).callsMore;
    const busy = { ...two, ...line };
    const full = shut('no_free_slot');
    expect(callsMore({ progress: busy, ...full })).toBe(true);
    expect(callsMore({ progress: busy, hours: { now: 0, later: 2, nextAt: LATER } })).toBe(false);
    expect(callsMore({ progress: { ...nobody, ...line } })).toBe(false);
    // Other campaigns, or calls that may not have been made, hold every slot.
    expect(callsMore(full)).toBe(false);
    expect(callsMore({ progress: { ...busy, unknown: 1 }, ...full })).toBe(false);
  });

  it('is shown as open while the state is running and nobody calls', () => {
    const shown = (some: Partial<SituationFacts>) => situationOf(facts(some)).shown;
    expect(shown({})).toBe('open');
    expect(shown({ works: 'collects' })).toBe('open');
    expect(shown({ works: 'calls' })).toBe('running');
    for (const state of ['draft', 'paused', 'completed', 'cancelled'] as const)
      expect(shown({ state })).toBe(state);
  });

  it('is uncalled while it is not over, somebody is left and nobody calls', () => {
    const isUncalled = (some: Partial<SituationFacts>) => situationOf(facts(some)).isUncalled;
    expect(isUncalled({})).toBe(true);
    expect(isUncalled({ works: 'collects' })).toBe(true);
    expect(isUncalled({ progress: nobody, unfinished: 'gone' })).toBe(true);
    expect(isUncalled({ works: 'calls' })).toBe(false);
    expect(isUncalled({ progress: nobody })).toBe(false);
    expect(isUncalled({ state: 'cancelled' })).toBe(false);
    expect(isUncalled({ state: 'completed', unfinished: 'gone' })).toBe(true);
    expect(isUncalled({ state: 'completed', progress: nobody })).toBe(false);
  });

  it('is a draft also where nobody is in it yet, and is final only once it was started', () => {
    expect(situationOf(facts({ state: 'draft', progress: nobody })).all).toEqual(['draft']);
    expect(situationOf(facts({ progress: nobody })).all).toEqual(['final']);
  });

  it('has no time while it is paused or cancelled, also where calls are in doubt', () => {
    const progress = { ...two, doubts: 1, nextDueAt: SOON };
    expect(situationOf(facts({ ...paused('operator'), progress })).until).toBeNull();
    expect(situationOf(facts({ state: 'cancelled', progress })).until).toBeNull();
  });

  it('asks for nothing where the process that works goes on by itself', () => {
    const todo = (some: Partial<SituationFacts>) => situationOf(facts(some)).todo;
    expect(todo({ works: 'calls' })).toBeNull();
    expect(todo({ ...ROWS.draft[0], works: 'calls' })).toBeNull();
    expect(todo({ ...ROWS.hours[0], works: 'calls' })).toBeNull();
    expect(todo({ ...ROWS.hours[0], works: 'collects' })).toBe('run');
    expect(todo({ ...ROWS.paused[0], works: 'calls' })).toBe('resume');
    expect(todo({ ...ROWS.collecting[0], works: 'collects' })).toBeNull();
    expect(todo({ unfinished: 'gone' })).toBe('import');
  });

  it('has open calls of a cancelled campaign collected', () => {
    const cancelled = { state: 'cancelled', progress: { ...nobody, open: 1 } } as const;
    expect(situationOf(facts(cancelled))).toMatchObject({ exit: 'waiting', todo: 'collect' });
    expect(situationOf(facts({ ...cancelled, works: 'collects' })).todo).toBeNull();
  });

  it('is that the key was refused, or that the disk is full, also by what a run has seen', () => {
    const is = (end: SituationFacts['end'], some = {}) => situationOf(facts({ ...some, end })).is;
    expect(is({ keyRefused: true })).toBe('key');
    expect(is({ dispatch: 'disk_full' })).toBe('disk_full');
    expect(is({ dispatch: 'disk_full' }, { progress: nobody })).toBe('final');
  });

  it('lasts until the latest of hours, the person who is due, the backoff and what the run waits for', () => {
    const until = (some: Partial<SituationFacts>) => situationOf(facts(some)).until;
    const due = { progress: { ...two, nextDueAt: SOON } };
    expect(until(due)).toBe(SOON);
    expect(until({ ...due, ...ROWS.hours[0] })).toBe(LATER);
    expect(until({ ...due, end: { nextAt: LATER } })).toBe(LATER);
    expect(until({ ...due, ...shut('service_backoff', LATER) })).toBe(LATER);
    expect(until({ progress: { ...two, nextDueAt: START - 1 } })).toBeNull();
    expect(until({ progress: nobody, ...shut('service_backoff', LATER) })).toBeNull();
    expect(until({ hours: { now: 0, later: 1, nextAt: null } })).toBeNull();
  });
});
