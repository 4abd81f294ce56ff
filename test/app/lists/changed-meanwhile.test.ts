import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConsoleStore } from '../../../src/app/access/listening.ts';
import { changeSettings } from '../../../src/app/campaigns/change-settings.ts';
import {
  addLists,
  changeReading,
  createDraft,
  removeDraft,
  removeList,
} from '../../../src/app/campaigns/drafts.ts';
import { cancelCampaign } from '../../../src/app/campaigns/cancel.ts';
import {
  pauseCampaigns,
  resumeCampaign,
  startCampaign,
} from '../../../src/app/campaigns/start-pause-resume.ts';
import { keepUpload, removeUpload, sweepUploads } from '../../../src/app/lists/uploads.ts';
import { withCampaign } from '../../../src/app/places/databases.ts';
import { fileOf } from '../../../src/app/plan/unfinished-import.ts';
import type { World } from '../../../src/app/world.ts';
import type { ConsoleStore, Upload } from '../../../src/store/console.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { leadTo, LIVE, livePhone, OTHER_LIVE } from '../../helpers/services/live-service.ts';
import { voiceServer } from '../../helpers/services/voice-server.ts';
import { change } from '../../store/sqlite/database.ts';

const FILES = { db: undefined };
const spring = { ...FILES, campaign: 'spring' };
const LIST = `phone,remark\n${livePhone(1)},\n${livePhone(2)},x\n`;

let world: World;
let access: ConsoleStore;
let folder: string;
beforeEach(async () => {
  const [one, two] = [await voiceServer(), await voiceServer()];
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'campaigns'));
  const services = { here: one.url, one: LIVE, two: OTHER_LIVE };
  writeFileSync(
    join(cwd, 'campaigns', 'services.yaml'),
    Object.entries(services)
      .map(([name, url]) => `${name}: { url: ${url}, keyEnv: KEY }\n`)
      .join(''),
  );
  const connect = leadTo({ [LIVE]: one.url, [OTHER_LIVE]: two.url });
  world = { ...fakeWorld({ cwd, env: { KEY: 'k' }, connect }), attended: true };
  access = await openConsoleStore({}, world);
  folder = join(cwd, 'data', 'uploads');
});
afterEach(() => access.close());

const send = (name: string, text = LIST) => {
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return keepUpload(access, { folder, mostBytes: 1_000 }, { name, bytes: undefined, body }, world);
};
const set = (setting: string[], by = world) => changeSettings({ ...spring, setting }, by);
async function aDraft(service = 'one') {
  const upload = await send('spring.csv');
  await createDraft(access, { ...FILES, uploads: [upload.id] }, world);
  await set([`service=${service}`, 'agent=ag_1', 'rules=always']);
  return upload;
}
const start = (by: World) =>
  startCampaign({ ...FILES, list: 'spring', byName: true, yes: false, again: false }, by);
const resume = (by: World) =>
  resumeCampaign({ ...FILES, list: 'spring', byName: true, yes: false, again: false }, by);
const cancel = () => cancelCampaign({ ...spring, yes: true, undo: false }, world);
const seen = () =>
  withCampaign(spring, world, 'read', async ({ store, campaign }) => ({
    ...{ state: campaign.state, service: campaign.service, agent: campaign.settings.agent },
    lists: await store.lists(campaign.id),
    waiting: await store.waitingPhones(campaign.id, null, 9),
  }));
const listId = async () => (await seen()).lists[0]?.id ?? '';

/** Somebody whose yes comes only after this. */
const saysYesAfter = (meanwhile: () => Promise<unknown>): World => ({
  ...world,
  confirm: async () => {
    await meanwhile();
    return true;
  },
});
/** Somebody whose service answers only after this. */
function isAnsweredAfter(meanwhile: () => Promise<unknown>): World {
  let isFirst = true;
  const connect: World['connect'] = async (options) => {
    const service = await world.connect(options);
    const listAgents = async () => {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return service.listAgents();
    };
    return { ...service, listAgents };
  };
  return { ...world, connect };
}

describe('a draft that somebody changes before the yes of another', () => {
  it.each([
    ['its service', () => set(['service=two', 'agent=ag_1'])],
    [
      'whom a column refuses',
      async () =>
        changeReading(
          { ...spring, list: await listId(), reading: { columns: { '#2': 'doNotCall' } } },
          world,
        ),
    ],
    [
      'its list, which is taken out',
      async () => removeList({ ...spring, list: await listId() }, world),
    ],
    [
      'a list beside it',
      async () =>
        addLists(
          access,
          { ...spring, uploads: [(await send('more.csv', 'phone\n+12125550109\n')).id] },
          world,
        ),
    ],
  ])('is not started: %s', async (_, meanwhile) => {
    await aDraft();
    await expect(start(saysYesAfter(meanwhile))).rejects.toMatchObject({
      code: 'CAMPAIGN_CHANGED',
    });
    expect(await seen()).toMatchObject({ state: 'draft', waiting: [] });
  });

  it('is not started where it is given up', async () => {
    await aDraft();
    const by = saysYesAfter(() => removeDraft(spring, world));
    await expect(start(by)).rejects.toMatchObject({ code: 'CAMPAIGN_CHANGED' });
  });

  it('is not started without a question where its service becomes a live one', async () => {
    await aDraft('here');
    const by = isAnsweredAfter(() => set(['service=two', 'agent=ag_1']));
    await expect(start(by)).rejects.toMatchObject({ code: 'CAMPAIGN_CHANGED' });
    expect((await seen()).state).toBe('draft');
  });
});

it("an operator's pause stays where it came before the yes of somebody whose run would lift the program's", async () => {
  await aDraft();
  await start(saysYesAfter(() => Promise.resolve()));
  const key = { pause: { reason: 'key', detail: '401' } } as const;
  await withCampaign(spring, world, 'write', ({ store, campaign: { id } }) =>
    store.changeCampaign(id, key, { at: 0, who: 'callsheet', what: 'campaign.paused', detail: {} }),
  );
  const pause = () => pauseCampaigns({ ...spring, all: false }, world);

  expect(await start(saysYesAfter(pause))).toMatchObject({ pauseReason: 'operator' });

  expect(await seen()).toMatchObject({ state: 'paused' });
});

it.each([
  ['paused', () => pauseCampaigns({ ...spring, all: false }, world)],
  ['cancelled', cancel],
] as const)(
  'a running campaign is told as %s where it became so before the yes',
  async (state, meanwhile) => {
    await aDraft();
    await start(saysYesAfter(() => Promise.resolve()));

    expect(await start(saysYesAfter(meanwhile))).toMatchObject({ state });
  },
);

it('a campaign that is cancelled before the yes of somebody who resumes it is not resumed', async () => {
  await aDraft();
  await start(saysYesAfter(() => Promise.resolve()));
  await pauseCampaigns({ ...spring, all: false }, world);
  expect(await resume(saysYesAfter(cancel))).toMatchObject({
    changed: false,
    campaign: { state: 'cancelled' },
  });

  await withCampaign(spring, world, 'read', async ({ store, campaign: { id } }) => {
    expect((await store.history(id)).map(({ what }) => what)).not.toContain('campaign.resumed');
  });
});

it('a service is not set on a campaign that was started while the service was asked', async () => {
  await aDraft('here');
  const by = isAnsweredAfter(() => start(world));
  await expect(set(['service=two', 'agent=ag_1'], by)).rejects.toMatchObject({
    code: 'CAMPAIGN_CHANGED',
  });
  expect(await seen()).toMatchObject({ state: 'running', service: 'here' });
});

it('a service and the agent that was there before are set together', async () => {
  await aDraft();
  await set(['service=two', 'agent=ag_1']);
  expect(await seen()).toMatchObject({ service: 'two', agent: 'ag_1' });
  await set(['service=one']);
  expect(await seen()).toMatchObject({ service: 'one', agent: '' });
});

it('a list is not taken out while its import begins, and that is told', async () => {
  await aDraft();
  const importer = '{"host":"h","boot":"b","pid":1,"seenAt":0}';
  const now = () => {
    change(join(world.cwd, 'data', 'callsheet.db'), `UPDATE lists SET importer = '${importer}'`);
    return world.clock.now();
  };
  const by = { ...world, clock: { ...world.clock, now } };
  const removed = removeList({ ...spring, list: await listId() }, by);
  await expect(removed).rejects.toMatchObject({ code: 'LIST_NOT_SENT' });
  expect((await seen()).lists).toHaveLength(1);
});

describe('a file that was sent', () => {
  it('is taken by one of two drafts', async () => {
    const upload = await send('spring.csv');
    const uploads = [upload.id];
    // Both have read that it is there.
    const late = { ...access, findUpload: () => Promise.resolve(upload) };
    await createDraft(access, { ...FILES, uploads }, world);
    await expect(createDraft(late, { ...FILES, uploads }, world)).rejects.toMatchObject({
      code: 'UPLOAD_UNKNOWN',
    });
    expect(existsSync(upload.path)).toBe(true);
  });

  it.each([
    [
      'its sender deletes it',
      (upload: Upload, take: () => Promise<unknown>) => {
        const findUpload = async () => {
          await take();
          return upload;
        };
        const removed = removeUpload({ ...access, findUpload }, upload.id);
        return expect(removed).rejects.toMatchObject({ code: 'UPLOAD_UNKNOWN' });
      },
    ],
    [
      'it is swept after a day',
      async (upload: Upload, take: () => Promise<unknown>) => {
        utimesSync(dirname(upload.path), 0, 0);
        const uploads = async () => {
          await take();
          return [{ ...upload, at: 0 }];
        };
        expect(await sweepUploads({ ...access, uploads }, folder, FILES, world)).toBe(0);
      },
    ],
  ])('stays for the draft that takes it in the moment in which %s', async (_, remove) => {
    const upload = await send('spring.csv');
    await remove(upload, () => createDraft(access, { ...FILES, uploads: [upload.id] }, world));
    expect(existsSync(upload.path)).toBe(true);
    expect((await seen()).lists).toHaveLength(1);
  });

  it('is read from where it is kept, and never from a file of its name where callsheet runs', () => {
    const input = { columns: {}, encoding: null, delimiter: null, sheet: null, asOf: null };
    expect(fileOf({ path: 'package.json', file: '/gone/spring.csv', input })).toBe(
      '/gone/spring.csv',
    );
    expect(fileOf({ path: 'lists/spring.csv', file: '/gone/spring.csv', input: null })).toBe(
      'lists/spring.csv',
    );
  });

  it('stays where another database of the folder may have it', async () => {
    const { id, path } = await send('b.csv');
    const other = { db: join(world.cwd, 'data', 'b.db') };
    const beside = await openConsoleStore(other, world);
    await createDraft(beside, { ...other, uploads: [id] }, world);
    await beside.close();
    utimesSync(dirname(path), 0, 0);
    expect(await sweepUploads(access, folder, FILES, world)).toBe(0);
    expect(existsSync(path)).toBe(true);
  });
});
