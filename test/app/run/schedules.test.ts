import { describe, expect, it } from 'vitest';
import { createSchedules } from '../../../src/app/run/schedules.ts';
import type { HistoryEntry } from '../../../src/store/port.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { aCampaign } from '../../helpers/factory.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';

const HOUR = 3_600_000;
/** Three hours after every test begins, in the campaign's zone. */
const DAILY = '0 13 * * *';

describe('a schedule', () => {
  it('has its time once, and then again on the next day', async () => {
    const { ask, err } = scene(START - HOUR);

    expect(await ask(START)).toBe(false);
    expect(await ask(START + 3 * HOUR - 1)).toBe(false);
    expect(await ask(START + 3 * HOUR)).toBe(true);
    expect(await ask(START + 3 * HOUR + 5_000)).toBe(false);
    expect(await ask(START + 27 * HOUR)).toBe(true);
    expect(err()).not.toContain('nobody served');
  });

  it('says when its time passed while nobody served, and that it is not made up for', async () => {
    const { ask, err } = scene(START - 48 * HOUR);

    expect(await ask(START)).toBe(false);

    expect(err()).toMatch(
      /callsheet was not serving at 2026-01-04 13:00:00 America\/New_York, and that time is not made up for; `npx callsheet run spring` calls now\.\n$/,
    );
  });

  it('is silent about times at which it was called, and those before it was begun', async () => {
    const first = scene(START - 48 * HOUR);
    await first.ask(START);
    await first.ask(START + 3 * HOUR);
    const second = scene(START - 48 * HOUR, first.history);
    await second.ask(START + 5 * HOUR);
    expect(second.err()).not.toContain('nobody served');

    const begun = scene(START - HOUR);
    await begun.ask(START);
    expect(begun.err()).not.toContain('nobody served');
  });

  it('does not call hours late, when the machine slept', async () => {
    const { ask, err } = scene(START - HOUR);
    await ask(START);

    expect(await ask(START + 9 * HOUR)).toBe(false);
    expect(err()).toContain('callsheet was not serving at');
  });

  it('misses nothing while its run is under way', async () => {
    const { ask, passes, err } = scene(START - HOUR);
    await ask(START);
    expect(await ask(START + 3 * HOUR)).toBe(true);
    passes(START + 28 * HOUR);

    expect(await ask(START + 29 * HOUR)).toBe(false);
    expect(err()).not.toContain('nobody served');
  });
});

function scene(createdAt: number, history: HistoryEntry[] = []) {
  const created = { at: createdAt, who: 'operator', what: 'campaign.created', detail: {} };
  if (history.length === 0) history.push(created);
  const io = fakeWorld({ cwd: '/', clock: new VirtualClock() });
  const settings = { schedule: DAILY, timezone: 'America/New_York' };
  const campaign = aCampaign({ id: 'cmp_1', settings });
  const store = {
    history: () => Promise.resolve(history),
    addHistory: (_id: string, entry: HistoryEntry) => {
      history.push(entry);
      return Promise.resolve();
    },
  };
  const schedules = createSchedules(store, io);
  return {
    history,
    err: () => io.err(),
    ask: (now: number) => schedules.isTime(campaign, now),
    passes: (now: number) => {
      schedules.passes(campaign, now);
    },
  };
}
