import { describe, expect, it } from 'vitest';
import { WEEKDAYS, type CallingPolicy } from '../../src/domain/calling/policy.ts';
import type { Store } from '../../src/store/port.ts';
import { aScene } from '../helpers/campaign-run.ts';
import { START } from '../helpers/clock.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The minute of the day in UTC at which the night of the tests begins, rounded up. */
const BEGIN = Math.ceil((START % DAY) / MINUTE);

const minuteOfDay = (minute: number) => (BEGIN + minute) % 1_440;

/** Open for everybody, every day, between two minutes counted from the beginning of the night. */
function openBetween(from: number, to: number): CallingPolicy {
  const hours = {
    days: WEEKDAYS,
    from: minuteOfDay(from),
    to: minuteOfDay(to) || 1_440,
    timezone: 'UTC',
  };
  return policyWith({ hours });
}

const policyWith = (more: Partial<CallingPolicy>): CallingPolicy => ({
  rules: [],
  hours: null,
  holidays: [],
  unknownZones: ['UTC'],
  zoneOverrides: [],
  marginMs: 0,
  ...more,
});

/** Nobody may be called on any day. */
const CLOSED = policyWith({
  rules: [
    {
      name: 'closed',
      hours: {
        week: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
        holidays: null,
      },
      caps: [],
      afterConversationMs: null,
      afterRefusalMs: null,
      regions: {},
    },
  ],
});

function countClaims(store: Store) {
  let count = 0;
  const claim: Store['claim'] = (request) => {
    count += 1;
    return store.claim(request);
  };
  return { store: { ...store, claim }, count: () => count };
}

describe('a run outside calling hours', () => {
  it('ends with the next opening', async () => {
    const scene = await aScene({ leads: 3, settings: { policy: openBetween(30, 90) } });
    const end = await scene.run();
    expect(end.dispatch).toBe('later');
    expect((end.nextAt ?? 0) % DAY).toBe(minuteOfDay(30) * MINUTE);
    expect(scene.service.dials).toEqual([]);
  });

  it('that was asked to stay calls from the opening on, and asks twice a second until then', async () => {
    const scene = await aScene({ leads: 3, settings: { policy: openBetween(10, 90) } });
    const claims = countClaims(scene.store);
    const begun = scene.clock.now();
    const end = await scene.run({ store: claims.store, waitUntil: begun + 60 * MINUTE });
    expect(end.dispatch).toBe('none_waiting');
    const [first] = scene.service.dials;
    const opening = Math.floor(begun / DAY) * DAY + (BEGIN + 10) * MINUTE;
    expect(first?.at).toBeGreaterThanOrEqual(opening);
    expect(first?.at).toBeLessThan(opening + 1_000);
    expect(claims.count()).toBeLessThan(2 * ((opening - begun) / 1_000) + 60);
  });

  it('stops at the closing and leaves the rest for the next opening', async () => {
    const settings = { concurrency: 1, policy: openBetween(-60, 1) };
    const scene = await aScene({ leads: 20, settings, dial: () => ({ talkMs: 20_000 }) });
    const closing = Math.floor(START / DAY) * DAY + (BEGIN + 1) * MINUTE;
    const end = await scene.run();
    expect(end.dispatch).toBe('later');
    const times = scene.service.dials.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(0);
    expect(times.length).toBeLessThan(20);
    expect(Math.max(...times)).toBeLessThan(closing);
  });

  it('that never end ends as shut', async () => {
    const scene = await aScene({ leads: 3, settings: { policy: CLOSED } });
    expect(await scene.run()).toMatchObject({ dispatch: 'shut', nextAt: null });
    expect(scene.service.dials).toEqual([]);
  });

  it('without an end stays, and calls as soon as somebody opens the hours', async () => {
    const scene = await aScene({ leads: 3, settings: { policy: CLOSED } });
    const claims = countClaims(scene.store);
    const run = scene.start({ store: claims.store, waitUntil: Infinity });
    await scene.night.sleep(20_000);
    expect(scene.service.dials).toEqual([]);
    expect(claims.count()).toBeLessThan(60);
    const open = { ...scene.campaign.settings };
    delete open.policy;
    const entry = { at: scene.clock.now(), who: 'op', what: 'campaign.changed', detail: {} };
    await scene.store.changeCampaign(scene.campaign.id, { settings: open }, entry);
    const end = await scene.night.pass(run);
    expect(end.dispatch).toBe('none_waiting');
    expect(scene.service.dials).toHaveLength(3);
  });
});
