import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  archiveCampaign,
  changeSettings,
  renameCampaign,
} from '../../../src/app/campaigns/change-settings.ts';
import { cancelCampaign } from '../../../src/app/campaigns/cancel.ts';
import {
  pauseCampaigns,
  resumeCampaign,
  startCampaign,
} from '../../../src/app/campaigns/start-pause-resume.ts';
import type { World } from '../../../src/app/world.ts';
import { addList, ENTRY, someLeads } from '../../conformance/store/setup.ts';
import { aCampaign, CREATED } from '../../helpers/factory.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

type Act = (request: { db: string; ifVersion?: number }, world: World) => Promise<unknown>;

const begin = { list: 'spring', service: 'simulated', yes: true, again: false };
const ACTS: [string, Act][] = [
  ['pauses', (given, world) => pauseCampaigns({ ...given, campaign: 'spring', all: false }, world)],
  ['resumes', (given, world) => resumeCampaign({ ...given, ...begin }, world)],
  ['starts', (given, world) => startCampaign({ ...given, ...begin }, world)],
  [
    'sets',
    (given, world) =>
      changeSettings({ ...given, campaign: 'spring', setting: ['concurrency=7'] }, world),
  ],
  [
    'cancels',
    (given, world) =>
      cancelCampaign({ ...given, campaign: 'spring', undo: false, yes: true }, world),
  ],
];

/** What can be done once. */
const ONCE: [string, Act][] = [
  [
    'renames',
    (given, world) => renameCampaign({ ...given, campaign: 'spring', name: 'early' }, world),
  ],
  [
    'archives',
    (given, world) => archiveCampaign({ ...given, campaign: 'spring', undo: false }, world),
  ],
];

describe('a campaign that somebody else has changed', () => {
  it.each([...ACTS, ...ONCE])(
    'is not changed by who %s it as they saw it before',
    async (_, act) => {
      const { store, world, path, seen } = await aPausedCampaign();
      await store.changeCampaign('cmp_spring', { service: 'other' }, { ...ENTRY, who: 'bob' });
      const there = await store.changeCampaign(
        'cmp_spring',
        { service: 'simulated' },
        { ...ENTRY, who: 'bob', what: 'campaign.changed' },
      );

      const refused = act({ db: path, ifVersion: seen }, world);

      await expect(refused).rejects.toMatchObject({ code: 'CAMPAIGN_CHANGED', exitCode: 2 });
      await expect(refused).rejects.toThrow('The last change: bob changed the settings.');
      expect(await store.findCampaign('spring')).toEqual(there);
    },
  );

  it.each(ACTS)('is changed by who %s it as it is, or without saying', async (_, act) => {
    const { store, world, path, seen } = await aPausedCampaign();

    await act({ db: path, ifVersion: seen }, world);

    const { version = 0 } = (await store.findCampaign('spring')) ?? {};
    expect(version).toBeGreaterThan(seen);
    await act({ db: path }, world);
  });

  it.each(ONCE)('is changed by who %s it as it is', async (_, act) => {
    const { store, world, path, seen } = await aPausedCampaign(0);

    await act({ db: path, ifVersion: seen }, world);

    const [campaign] = await store.listCampaigns();
    expect(campaign?.version).toBeGreaterThan(seen);
  });
});

it.each(['completed', 'cancelled'] as const)(
  'stays %s where somebody pauses it who saw it run, and they are told',
  async (state) => {
    const { store, world, path, seen } = await aPausedCampaign(0);
    await store.changeCampaign('cmp_spring', { state: 'running' }, ENTRY);
    const ended = await store.changeCampaign('cmp_spring', { state }, ENTRY);

    const asked = { db: path, campaign: 'spring', all: false, ifVersion: seen };
    const paused = await pauseCampaigns(asked, world);

    expect(paused).toEqual([{ campaign: 'spring', state, held: null, changed: false }]);
    expect(await store.findCampaign('spring')).toEqual(ended);
  },
);

/** Paused by the program, so that it can be paused, resumed and started. */
async function aPausedCampaign(people = 2) {
  const path = aDatabasePath();
  const store = aStore(path, { mode: 'write' });
  const campaign = aCampaign({
    ...{ service: 'simulated', simulated: true },
    settings: { agent: 'ag_demo' },
  });
  await store.createCampaign(campaign, CREATED);
  await addList(store, campaign.id, someLeads(people));
  const pause = { reason: 'breaker', detail: 'five refusals in a row' } as const;
  const { version } = await store.changeCampaign(campaign.id, { pause }, ENTRY);
  const world = fakeWorld({ cwd: dirname(path), db: path });
  return { path, store, world, seen: version };
}

it('is paused with all others where callsheet has paused it by itself, so that no further run goes on with it', async () => {
  const { store, world, path } = await aPausedCampaign();

  const paused = await pauseCampaigns({ db: path, all: true }, world);

  expect(paused).toMatchObject([{ campaign: 'spring', state: 'paused', changed: true }]);
  expect(await store.findCampaign('spring')).toMatchObject({ pauseReason: 'operator' });
  expect(await pauseCampaigns({ db: path, all: true }, world)).toEqual([]);
});
