import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { WEEKDAYS, type CallingPolicy } from '../../../src/domain/calling/policy.ts';
import { AppError } from '../../../src/runtime/errors.ts';
import type { Campaign, Store } from '../../../src/store/port.ts';
import { aPolicy, daily, DENVER, LONDON } from '../../conformance/store/calling/policies.ts';
import { addList } from '../../conformance/store/setup.ts';
import { aServer } from '../../helpers/services/a-server.ts';
import { addCampaign } from '../../helpers/campaign-run.ts';
import { aLead } from '../../helpers/factory.ts';
import { START } from '../../helpers/clock.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Every test begins at 15:00 UTC. */
const BEGIN = 15 * 60;
const ENTRY = { at: START, who: 'operator', what: 'campaign.changed', detail: {} };

/** Open for everybody, every day, between two minutes counted from the time of day at which a test begins. */
function openBetween(from: number, to: number): CallingPolicy {
  const hours = { days: WEEKDAYS, from: BEGIN + from, to: BEGIN + to, timezone: 'UTC' };
  return {
    ...{ rules: [], hours, holidays: [], unknownZones: ['UTC'], zoneOverrides: [], marginMs: 0 },
  };
}

/** Hours of its own that are open while those of a rule are closed. */
function neverOpenTogether(): CallingPolicy {
  const day = [[0, 60]] as const;
  const week = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day };
  const rule = {
    ...{ name: 'small-hours', hours: { week, holidays: null }, caps: [], regions: {} },
    ...{ afterConversationMs: null, afterRefusalMs: null },
  };
  return { ...openBetween(0, 60), rules: [rule] };
}

function campaignOf(
  store: Store,
  plan: { name: string; from: number; leads: number; policy: CallingPolicy },
): Promise<Campaign> {
  const { policy, ...rest } = plan;
  const results: CampaignSettings['results'] = { file: '-', format: 'csv' };
  return addCampaign(store, { ...rest, settings: { policy, concurrency: 1, results } });
}

const loosened = (store: Store, { id, settings }: Campaign, policy: CallingPolicy) =>
  store.changeCampaign(id, { settings: { ...settings, policy } }, ENTRY);

describe('serve with a schedule', () => {
  /** 15:05 UTC, five minutes after the test begins; its night ends at 05:00. */
  const SETTINGS = {
    ...{ schedule: '5 15 * * *', timezone: 'UTC', concurrency: 1 },
    results: { file: '-', format: 'csv' },
  } as const;
  const HOUR = 60 * MINUTE;
  const minutesOf = (at: number) => Math.floor((at - START) / MINUTE);

  it('calls from its time to the end of the night, whoever is added meanwhile within a second, and again the next day', async () => {
    const { night, store, dialledAt, runs, serveDuring } = aServer();
    const settings = { ...SETTINGS, policy: aPolicy({ hours: daily(9, 12) }) };
    const { id } = await addCampaign(store, { name: 'spring', from: 0, leads: 0, settings });
    const add = (n: number, zoneKey = DENVER) =>
      addList(store, id, [aLead(n, { zoneKey })], { id: `list_${n}`, sha256: `hash ${n}` });

    await serveDuring(async () => {
      // In London it is too late for this night, so that somebody waits all the time.
      await add(0, LONDON);
      night.clock.setWall(START + 4 * MINUTE);
      await night.sleep(2 * MINUTE);
      night.clock.setWall(START + 118 * MINUTE);
      await night.sleep(2 * MINUTE);
      await add(1);
      const at = night.clock.now();
      await night.sleep(2 * MINUTE);
      expect((dialledAt[0] ?? Infinity) - at).toBeLessThanOrEqual(1_000);
      night.clock.setWall(START + 14 * HOUR - MINUTE);
      await night.sleep(2 * MINUTE);
      await add(2);
      await night.sleep(MINUTE);
      night.clock.setWall(START + 24 * HOUR + 4 * MINUTE);
      await night.sleep(2 * MINUTE);
      night.clock.setWall(START + 25 * HOUR - MINUTE);
      await night.sleep(2 * MINUTE);
    });

    expect(runs()).toBeLessThanOrEqual(4);
    // 16:00 UTC is 09:00 in Denver.
    expect(dialledAt.map(minutesOf)).toEqual([120, 25 * 60]);
    expect((await store.firings(id)).map(({ at, met }) => [minutesOf(at), met])).toEqual([
      [24 * 60 + 5, 'on_time'],
      [5, 'on_time'],
    ]);
  });

  it('begins no call after the end of the night, and goes on with the same person at the next time', async () => {
    const { night, store, dialledAt, serveDuring } = aServer();
    await addCampaign(store, { name: 'spring', from: 0, leads: 20, settings: SETTINGS });
    night.clock.setWall(START + 13 * HOUR + 52 * MINUTE);

    await serveDuring(async () => {
      await night.sleep(10 * MINUTE);
      expect(dialledAt.length).toBeGreaterThan(5);
      expect(Math.max(...dialledAt.map(minutesOf))).toBeLessThan(14 * 60);
      night.clock.setWall(START + 24 * HOUR + 4 * MINUTE);
      await night.sleep(3 * MINUTE);
    });

    const second = dialledAt.map(minutesOf).filter((at) => at >= 14 * 60);
    expect(second[0]).toBe(24 * 60 + 5);
  });

  it.each([
    ['a lock of another program', 'STORE_LOCKED'],
    ['a server that is away', 'STORE_AWAY'],
    ['a full disk', 'STORE_FULL'],
  ])('outlives %s at its time, says so once, and calls in that night', async (_, code) => {
    let isBroken = true;
    const { night, store, dialledAt, err, serveDuring } = aServer({
      change: (opened) => ({
        takeFiring: (...firing) =>
          isBroken
            ? Promise.reject(new AppError(code, 'Nothing was written.'))
            : opened.takeFiring(...firing),
      }),
    });
    const { id } = await addCampaign(store, {
      name: 'spring',
      from: 0,
      leads: 1,
      settings: SETTINGS,
    });

    await serveDuring(async () => {
      night.clock.setWall(START + 4 * MINUTE);
      await night.sleep(2 * MINUTE);
      expect(dialledAt).toEqual([]);
      isBroken = false;
      await night.sleep(MINUTE);
    });

    expect(dialledAt.map(minutesOf)).toEqual([6]);
    expect((await store.firings(id)).map(({ met }) => met)).toEqual(['on_time']);
    expect(err().match(/Campaigns cannot be looked after: Nothing was written/g)).toHaveLength(2);
    expect(err()).toContain('(5 more times)');
  });

  it.each([
    ['a write', true],
    ['a trial of the database', false],
  ])('ends once %s has failed with the disk, after the calls in progress', async (_, isWrite) => {
    const failed = new AppError('STORE_IO_FAILED', 'The disk failed.');
    const { night, store, dialledAt, serveUntilEnd } = aServer({
      change: (opened) => ({
        takeFiring: (...firing) =>
          isWrite ? Promise.reject(failed) : opened.takeFiring(...firing),
      }),
    });
    await campaignOf(store, { name: 'always', from: 1, leads: 9, policy: openBetween(0, 60) });
    await addCampaign(store, { name: 'spring', from: 0, leads: 1, settings: SETTINGS });
    night.clock.setWall(START + 4 * MINUTE);

    const lost = new AbortController();
    if (!isWrite)
      void night.clock.sleep(61_000).then(() => {
        lost.abort(failed);
      });
    await expect(serveUntilEnd(lost.signal)).rejects.toThrow(failed);
    expect(dialledAt.every((at) => minutesOf(at) <= 5)).toBe(true);
    for (const id of ['cmp_always', 'cmp_spring'])
      expect(await store.progress(id, START)).toMatchObject({ calling: 0 });
  });

  it('ends at once where the database was lost before it began', async () => {
    const { store, serveUntilEnd } = aServer();
    await addCampaign(store, { name: 'spring', from: 0, leads: 0, settings: SETTINGS });
    const lost = new AppError('JOURNAL_GONE', 'The journal is gone.');

    await expect(serveUntilEnd(AbortSignal.abort(lost))).rejects.toThrow(lost);
  });

  it('calls the other campaigns where one cannot be looked after, and says which and why', async () => {
    const { night, service, err, store, serveDuring } = aServer({
      change: (opened) => ({
        progress: (id, now) =>
          id === 'cmp_always'
            ? Promise.reject(new Error('its settings cannot be read'))
            : opened.progress(id, now),
      }),
    });
    const settings = { concurrency: 1, results: SETTINGS.results };
    await addCampaign(store, { name: 'always', from: 0, leads: 2, settings });
    await addCampaign(store, { name: 'spring', from: 2, leads: 2, settings });

    await serveDuring(() => night.sleep(5 * MINUTE));

    expect(service.dials).toHaveLength(2);
    const told = err().match(/always cannot be looked after: its settings cannot be read/gi);
    expect(told?.length).toBeLessThanOrEqual(5);
    expect(told).not.toHaveLength(0);
  });

  it('takes up a new campaign within a second though another cannot be looked after, and asks that one less often', async () => {
    let looks = 0;
    const { night, dialledAt, store, serveDuring } = aServer({
      change: (opened) => ({
        lists: (id) => {
          if (id !== 'cmp_always') return opened.lists(id);
          looks += 1;
          return Promise.reject(new Error('its lists cannot be read'));
        },
      }),
    });
    const settings = { concurrency: 1, results: SETTINGS.results };
    await addCampaign(store, { name: 'always', from: 0, leads: 2, settings });

    await serveDuring(async () => {
      await night.sleep(2 * MINUTE);
      await addCampaign(store, { name: 'spring', from: 2, leads: 1, settings });
      await night.sleep(3 * MINUTE);
    });

    expect(dialledAt[0]).toBeLessThanOrEqual(START + 2 * MINUTE + 1_500);
    expect(looks).toBeGreaterThan(10);
    expect(looks).toBeLessThanOrEqual(25);
  });

  it('says once which budget holds a campaign back', async () => {
    const { night, store, service, err, serveDuring } = aServer();
    const settings = { ...SETTINGS, stop: { calls: 2, total: { calls: 3 } } };
    await addCampaign(store, { name: 'spring', from: 0, leads: 9, settings });

    await serveDuring(async () => {
      night.clock.setWall(START + 4 * MINUTE);
      await night.sleep(5 * MINUTE);
      expect(service.dials).toHaveLength(2);
      const told =
        /Tonight's budget of 2 calls is used up \(stop\.calls\); goes on with the next night, Tue 2026-01-06/g;
      expect(err().match(told)).toHaveLength(1);
      night.clock.setWall(START + 24 * HOUR + 4 * MINUTE);
      await night.sleep(4 * MINUTE);
    });

    expect(service.dials).toHaveLength(3);
    expect(err().match(/budget of 3 calls is used up \(stop\.total\.calls\)/g)).toHaveLength(1);
  });
});

describe('serve and the key of a service', () => {
  const SETTINGS = { concurrency: 1, results: { file: '-', format: 'csv' } } as const;
  const pausedForKey = (store: Store, id: string) =>
    store.changeCampaign(id, { pause: { reason: 'key', detail: '401' } }, ENTRY);

  it('begins the run again with a key that has changed, and calls nobody twice', async () => {
    const { night, store, service, key, runs, serveDuring } = aServer();
    await addCampaign(store, { name: 'spring', from: 0, leads: 6, settings: SETTINGS });

    await serveDuring(async () => {
      await night.sleep(2 * MINUTE);
      expect(runs()).toBe(1);
      key.now = 'second';
      await night.sleep(20 * MINUTE);
    });

    expect(runs()).toBe(2);
    expect(service.dials).toHaveLength(6);
    expect(new Set(service.dials.map(({ phone }) => phone)).size).toBe(6);
  });

  it('goes on with a campaign that was paused for its key once the service takes another, and asks once for each key', async () => {
    const { night, store, service, key, err, serveDuring } = aServer({
      isRefused: (now) => now !== 'third',
    });
    const { id } = await addCampaign(store, {
      name: 'spring',
      from: 0,
      leads: 1,
      settings: SETTINGS,
    });
    await pausedForKey(store, id);

    await serveDuring(async () => {
      await night.sleep(MINUTE);
      key.now = 'second';
      await night.sleep(MINUTE);
      expect(service.probes).toHaveLength(2);
      expect(service.dials).toHaveLength(0);
      key.now = 'third';
      await night.sleep(MINUTE);
    });

    expect(service.dials).toHaveLength(1);
    expect(err()).toContain('spring: the service takes the key in key.txt, so calling goes on.');
  });

  it('leaves a campaign paused that was archived, or that somebody has paused', async () => {
    const { night, store, service, serveDuring } = aServer();
    const archived = await addCampaign(store, {
      name: 'old',
      from: 0,
      leads: 0,
      settings: SETTINGS,
    });
    await pausedForKey(store, archived.id);
    await store.changeCampaign(archived.id, { archivedAt: START }, ENTRY);
    const held = await addCampaign(store, {
      name: 'spring',
      from: 1,
      leads: 1,
      settings: SETTINGS,
    });
    await store.changeCampaign(held.id, { pause: { reason: 'operator', detail: '' } }, ENTRY);

    await serveDuring(() => night.sleep(MINUTE));

    expect(service.probes).toEqual([]);
    expect((await store.findCampaign('old'))?.state).toBe('paused');
  });

  it('leaves a campaign to somebody who pauses it while its service is asked with another key', async () => {
    const { night, store, service, key, err, serveDuring } = aServer({
      change: (opened) => ({
        changeCampaign: async (id, change, entry) => {
          const pause = { reason: 'operator', detail: 'lunch' } as const;
          if (change.state === 'running') await opened.changeCampaign(id, { pause }, ENTRY);
          return opened.changeCampaign(id, change, entry);
        },
      }),
      isRefused: (now) => now === 'first',
    });
    const made = { name: 'spring', from: 0, leads: 0, settings: SETTINGS };
    const { id } = await addCampaign(store, made);
    await addList(store, id, [aLead(0)]);
    await pausedForKey(store, id);

    await serveDuring(async () => {
      await night.sleep(MINUTE);
      key.now = 'second';
      await night.sleep(MINUTE);
    });

    expect(service.dials).toEqual([]);
    expect(await store.findCampaign('spring')).toMatchObject({ pauseReason: 'operator' });
    expect(err()).not.toContain('calling goes on');
  });
});

it('writes results that it could not write at the end of the calls once it can, and says both', async () => {
  const { night, store, service, err, serveDuring } = aServer();
  // Files are written in the time of the machine, while the server's own time passes.
  const until = async (text: string) => {
    while (!err().includes(text)) await night.sleep(5_000);
  };
  const folder = tempFolder();
  const file = join(folder, 'results', 'spring.csv');
  const results = { file, format: 'csv' } as const;
  await addCampaign(store, { name: 'spring', from: 0, leads: 1, settings: { results } });

  await serveDuring(async () => {
    while (service.dials.length === 0) await night.sleep(1_000);
    rmSync(join(folder, 'results'), { recursive: true, force: true });
    writeFileSync(join(folder, 'results'), 'where the folder was');
    await until('It is tried again');
    expect(err().match(/spring: .*spring\.csv.* It is tried again: /g)).toHaveLength(1);
    rmSync(join(folder, 'results'));
    await until('completed; results');
  });

  expect(readFileSync(file, 'utf8')).toContain(service.dials[0]?.phone);
  expect(err()).toContain('spring: completed; results:');
});

it('writes results that the process before it could not, but none that were there', async () => {
  const { night, store, service, err, serveDuring } = aServer();
  const until = async (text: string) => {
    while (!err().includes(text)) await night.sleep(5_000);
  };
  const folder = tempFolder();
  const [file, other] = ['spring.csv', 'other.csv'].map((name) => join(folder, 'results', name));
  for (const [name, path, leads] of [
    ['other', other, 1],
    ['spring', file, 5],
  ] as const)
    await addCampaign(store, {
      ...{ name, from: leads, leads },
      settings: { concurrency: 1, results: { file: path ?? '', format: 'csv' } },
    });
  const block = () => {
    rmSync(join(folder, 'results'), { recursive: true, force: true });
    writeFileSync(join(folder, 'results'), 'where the folder was');
  };

  await serveDuring(async () => {
    await until('other: completed; results');
    block();
    await until('It is tried again');
  });
  rmSync(join(folder, 'results'));
  await serveDuring(() => until('spring: completed; results'));
  await serveDuring(() => night.sleep(MINUTE));

  expect(readFileSync(file ?? '', 'utf8')).toContain(service.dials.at(-1)?.phone);
  expect(existsSync(other ?? '')).toBe(false);
  expect(err().match(/spring: completed; results/g)).toHaveLength(1);
});

it('writes into the history that the service fails, and when it takes calls again', async () => {
  let isDown = true;
  const { night, store, service, serveDuring } = aServer({ isDown: () => isDown });
  const settings = { results: { file: '-', format: 'csv' } } as const;
  const { id } = await addCampaign(store, { name: 'spring', from: 0, leads: 2, settings });
  const told = async () =>
    (await store.history(id)).map(({ what }) => what).filter((what) => what.startsWith('service.'));

  await serveDuring(async () => {
    await night.sleep(2 * MINUTE);
    expect(await told()).toEqual(['service.failing']);
    isDown = false;
    await night.sleep(5 * MINUTE);
  });

  expect(await told()).toEqual(['service.failing', 'service.answered']);
  expect(service.dials).toHaveLength(2);
});

describe('serve with calling hours', () => {
  it('calls within them night after night, and in between asks twice a second at most', async () => {
    const { night, store, service, dialledAt, claims, serveDuring } = aServer();
    const policy = openBetween(10, 13);
    await campaignOf(store, { name: 'spring', from: 0, leads: 7, policy });

    const byNight: number[] = [];
    await serveDuring(async () => {
      for (let day = 0; day < 3; day++) {
        night.clock.setWall(START + day * DAY + 9 * MINUTE);
        await night.sleep(6 * MINUTE);
        const before = claims();
        await night.sleep(MINUTE);
        if (day < 2) expect(claims() - before).toBeLessThanOrEqual(2 * 60 + 1);
        byNight.push(service.dials.length);
      }
    });

    const minutes = dialledAt.map((at) => ((at - START) % DAY) / MINUTE);
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...minutes)).toBeLessThan(13);
    expect(byNight).toEqual([3, 6, 7]);
    expect(new Set(service.dials.map(({ phone }) => phone)).size).toBe(7);
  });

  it('tells of hours that never open once, calls other campaigns, and calls after they are loosened', async () => {
    const { night, store, service, err, serveDuring } = aServer();
    const shut = await campaignOf(store, {
      ...{ name: 'shut', from: 0, leads: 1, policy: neverOpenTogether() },
    });
    await campaignOf(store, { name: 'open', from: 1, leads: 2, policy: openBetween(0, 60) });

    await serveDuring(async () => {
      await night.sleep(5 * MINUTE);
      expect(service.dials).toHaveLength(2);
      expect(err().match(/shut: 1 person is never called/g)).toHaveLength(1);
      expect(err()).toMatch(/never called: \S.*small-hours.*never open together/);

      await loosened(store, shut, openBetween(0, 60));
      await night.sleep(5_000);
      expect(service.dials).toHaveLength(3);
    });
  });

  it('tells during a run of rules that have come to leave nobody any time, and calls nobody from then on', async () => {
    const { night, store, service, err, serveDuring } = aServer();
    const policy = openBetween(0, 60);
    const campaign = await campaignOf(store, { name: 'spring', from: 0, leads: 9, policy });

    await serveDuring(async () => {
      await night.sleep(90_000);
      await loosened(store, campaign, neverOpenTogether());
      const before = service.dials.length;
      expect(before).toBeGreaterThan(0);
      expect(err()).not.toContain('never called');
      await night.sleep(3 * MINUTE);
      expect(service.dials).toHaveLength(before);
      expect(err().match(/spring: \d people are never called/g)).toHaveLength(1);
    });
  });
});
