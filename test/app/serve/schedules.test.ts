import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSchedules } from '../../../src/app/serve/schedules.ts';
import type { CallingPolicy } from '../../../src/domain/calling/policy.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time-units.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { START, VirtualClock } from '../../helpers/clock.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

/** START is Monday 10:00 in the campaign's zone; this is three hours later, every day. */
const DAILY = '0 13 * * *';
const [ONE_PM, NIGHT_ENDS] = [START + 3 * HOUR_MS, START + 19 * HOUR_MS];

describe('a schedule', () => {
  it('opens a campaign at its time, once, until the night ends at 05:00', async () => {
    const { look, firings } = await scene();

    expect(await look(START)).toMatchObject({ isOpen: false, until: ONE_PM });
    expect(await look(ONE_PM - 1)).toMatchObject({ isOpen: false });
    expect(await look(ONE_PM)).toEqual({ isOpen: true, opensNow: true, until: NIGHT_ENDS });
    expect(await look(ONE_PM + 1)).toMatchObject({ isOpen: true, opensNow: false });
    expect(await look(NIGHT_ENDS - 1)).toMatchObject({ isOpen: true });
    expect(await look(NIGHT_ENDS)).toMatchObject({ isOpen: false });
    expect(await look(ONE_PM + DAY_MS)).toMatchObject({ isOpen: true, opensNow: true });
    expect(await firings()).toEqual([
      [ONE_PM + DAY_MS, 'on_time'],
      [ONE_PM, 'on_time'],
    ]);
  });

  it('fires once for several processes, and all of them go on with it', async () => {
    const first = await scene();
    const second = first.process();
    const opens = [await first.look(ONE_PM + 5), await second.look(ONE_PM + 6)];
    expect(opens.map(({ opensNow }) => opensNow)).toEqual([true, false]);
    expect(opens.every(({ isOpen }) => isOpen)).toBe(true);
    expect(await first.firings()).toHaveLength(1);
  });

  it('goes on after a kill with what had begun, however late', async () => {
    const { look, process, err } = await scene();
    await look(ONE_PM);
    const next = process();
    expect(await next.look(ONE_PM + 5 * HOUR_MS)).toMatchObject({ isOpen: true, opensNow: false });
    expect(err() + next.err()).not.toContain('passed without calls');
  });

  it('is made up for once when its time was missed and somebody may still be called', async () => {
    const { look, process, err, problems, firings } = await scene();

    expect(await look(ONE_PM + 2 * HOUR_MS)).toMatchObject({ isOpen: true, opensNow: true });

    expect(await process().look(ONE_PM + 3 * HOUR_MS)).toMatchObject({ opensNow: false });
    expect(await firings()).toEqual([[ONE_PM, 'made_up']]);
    expect(err().replaceAll(/\s+/g, ' ')).toContain(
      'spring: its time Mon 2026-01-05 13:00 America/New_York passed without calls; its night is not over, so it is called now.',
    );
    expect(problems).toEqual([]);
  });

  it('is only told, once over all processes, when nobody may be called in its night any more', async () => {
    const shut = { policy: openOnly(13, 14) };
    const { look, process, problems, firings } = await scene(shut);

    expect(await look(ONE_PM + 2 * HOUR_MS)).toMatchObject({ isOpen: false });
    expect(await process().look(ONE_PM + 2 * HOUR_MS)).toMatchObject({ isOpen: false });

    expect(await firings()).toEqual([[ONE_PM, 'told']]);
    expect(problems).toEqual([
      [
        'missed',
        'its time Mon 2026-01-05 13:00 America/New_York passed without calls, and its night cannot be made up for; `callsheet run spring` calls now.',
      ],
    ]);
  });

  it('counts the nights that were missed before the last one, and makes up for that one alone', async () => {
    const { look, firings, err } = await scene();
    await look(ONE_PM);
    const later = ONE_PM + 4 * DAY_MS + HOUR_MS;
    expect(await look(later)).toMatchObject({ isOpen: true, opensNow: true });
    expect(await firings()).toEqual([
      [ONE_PM + 4 * DAY_MS, 'made_up'],
      [ONE_PM, 'on_time'],
    ]);
    expect(err()).toContain('passed without calls, and 3 earlier times before it');
  });

  it('misses nothing from before it was made, the campaign started or an older version called it', async () => {
    for (const what of ['campaign.started', 'schedule.called', 'campaign.changed'])
      expect(await lookAfter(what), what).toMatchObject({ isOpen: false });
    expect(await lookAfter('campaign.changed', { 'stop.calls': {} })).toMatchObject({
      isOpen: true,
    });
  });

  it('takes up the times that pass while the campaign is being called', async () => {
    const { look, firings } = await scene({ schedule: '0 13,15 * * *' });
    expect(await look(ONE_PM)).toMatchObject({ until: ONE_PM + 2 * HOUR_MS });
    const due = await look(ONE_PM + 2 * HOUR_MS);
    expect(due).toEqual({ isOpen: true, opensNow: true, until: NIGHT_ENDS });
    expect(await firings()).toHaveLength(2);
  });

  it('does not fire a second time when the clock was set back', async () => {
    const { look, firings } = await scene();
    await look(ONE_PM + 5);
    expect(await look(ONE_PM - HOUR_MS)).toMatchObject({ isOpen: false });
    expect(await look(ONE_PM)).toMatchObject({ isOpen: true, opensNow: false });
    expect(await firings()).toHaveLength(1);
  });

  it('says when it is next, again after each time and after a change', async () => {
    const { look, err, set } = await scene();
    await look(START);
    await look(START + 1);
    expect(err().match(/next at/g)).toHaveLength(1);
    await set({ schedule: '0 12 * * *' });
    expect(await look(START + 2)).toMatchObject({ until: START + 2 * HOUR_MS });
    expect(err()).toContain('schedule 0 12 * * *, next at Mon 2026-01-05 12:00');
  });

  it.each([
    ['the hour that is skipped', '30 2 * * *', '2026-03-08', ['07:00', '06:30']],
    ['the hour that comes twice', '30 1 * * *', '2026-11-01', ['05:30', '06:30']],
  ])('fires once a day in %s', async (_, schedule, day, [first, second]) => {
    const { look, firings } = await scene({ schedule });
    const from = Date.parse(`${day}T05:00:00Z`);
    for (let minute = 0; minute < 36 * 60; minute += 1) await look(from + minute * 60_000);
    const next = new Date(from + DAY_MS).toISOString().slice(0, 10);
    const times = (await firings()).map(([at]) => new Date(at).toISOString().slice(0, 16));
    expect(times.slice(0, 2)).toEqual([`${next}T${second}`, `${day}T${first}`]);
    expect(times.length - 2).toBeLessThanOrEqual(1);
  });

  it('lets a campaign without one be called at any time', async () => {
    const { look, firings } = await scene({ schedule: null });
    expect(await look(START)).toEqual({ isOpen: true, opensNow: false, until: Infinity });
    expect(await firings()).toEqual([]);
  });
});

async function lookAfter(what: string, detail: Record<string, unknown> = { schedule: {} }) {
  const { look, addHistory } = await scene();
  await addHistory({ at: ONE_PM + 1, who: 'operator', what, detail });
  return look(ONE_PM + HOUR_MS);
}

/** Hours of everybody, by New York. */
function openOnly(from: number, to: number): CallingPolicy {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
  const hours = { days, from: from * 60, to: to * 60, timezone: 'America/New_York' };
  return {
    ...{ rules: [], hours, holidays: [], unknownZones: ['UTC'], zoneOverrides: [], marginMs: 0 },
  };
}

interface Given {
  /** Null: none. */
  schedule?: string | null;
  policy?: CallingPolicy;
}

async function scene(given: Given = {}) {
  const store = openSqliteStore({ path: join(tempFolder(), 'callsheet.db'), mode: 'dial' });
  onTestFinished(() => store.close());
  const { schedule = DAILY, policy } = given;
  const settings = {
    timezone: 'America/New_York',
    ...(schedule !== null && { schedule }),
    ...(policy !== undefined && { policy }),
  };
  const campaign = await addCampaign(store, { name: 'spring', from: 0, leads: 2, settings });
  const problems: [string, string][] = [];
  const process = () => {
    const io = fakeWorld({ cwd: '/', clock: new VirtualClock() });
    const schedules = createSchedules(store, (_, ...told) => problems.push(told), io);
    return {
      err: () => io.err(),
      look: async (now: number) => {
        const stored = await store.findCampaign('spring');
        return schedules.look(stored ?? campaign, now);
      },
    };
  };
  return {
    ...process(),
    process,
    problems,
    firings: async () =>
      (await store.firings(campaign.id)).map(({ at, met }) => [at, met] as const),
    addHistory: (entry: Parameters<typeof store.addHistory>[1]) =>
      store.addHistory(campaign.id, entry),
    set: (settings: Partial<CampaignSettings>) =>
      store.changeCampaign(
        campaign.id,
        { settings: { ...campaign.settings, ...settings } },
        { at: START + 1, who: 'operator', what: 'campaign.changed', detail: { schedule: {} } },
      ),
  };
}
