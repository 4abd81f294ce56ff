import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { consolePath, openConsoleStore } from '../../../src/app/access/listening.ts';
import { cancelCampaign } from '../../../src/app/campaigns/cancel.ts';
import { archiveCampaign, changeSettings } from '../../../src/app/campaigns/change-settings.ts';
import { addLists, createDraft, removeDraft } from '../../../src/app/campaigns/drafts.ts';
import { keepUpload, sweepUploads, uploadFolder } from '../../../src/app/lists/uploads.ts';
import { withCampaign } from '../../../src/app/places/databases.ts';
import { importInto } from '../../../src/app/plan/import-into.ts';
import { listCampaigns } from '../../../src/app/watch/campaigns.ts';
import { DAY_MS } from '../../../src/domain/time-units.ts';
import type { ConsoleStore } from '../../../src/store/console.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { change } from '../../store/sqlite/database.ts';

const HOUR_MS = 3_600_000;
const FILES = { db: undefined };
const spring = { ...FILES, campaign: 'spring' };

let clock: VirtualClock;
let world: ReturnType<typeof fakeWorld>;
let access: ConsoleStore;
let folder: string;
beforeEach(async () => {
  clock = new VirtualClock();
  world = fakeWorld({ cwd: tempFolder(), clock });
  access = await openConsoleStore({}, world);
  folder = join(world.cwd, 'data', 'uploads');
});
afterEach(() => access.close());

const send = (name: string, text = 'phone\n+12125550101\n') => {
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  return keepUpload(access, { folder, mostBytes: 1_000 }, { name, bytes: undefined, body }, world);
};
const sweep = () => sweepUploads(access, folder, FILES, world);
const aDraft = async () => {
  const upload = await send('spring.csv');
  await createDraft(access, { ...FILES, uploads: [upload.id] }, world);
  await changeSettings({ ...spring, setting: ['service=simulated'] }, world);
  return upload.path;
};
const takeIn = () => {
  const how = { lists: [], byName: true, yes: false, again: false, sync: false };
  return importInto({ ...FILES, list: 'spring', ...how }, world);
};
const lists = () =>
  withCampaign(spring, world, 'read', ({ store, campaign }) => store.lists(campaign.id));
const heldUpBy = async () =>
  (await listCampaigns({ archived: false }, world)).campaigns[0]?.heldUpBy;

/** Leaves the campaign as a process does that is killed before the last row is in. */
const breakOff = () => {
  const importer = '{"host":"elsewhere","boot":"b","pid":1,"seenAt":0}';
  change(
    join(world.cwd, 'data', 'callsheet.db'),
    `UPDATE lists SET finished_at = NULL, importer = '${importer}'`,
  );
};

/** The folder of a file as it is long after it was sent; the machine's clock does not move here. */
const makeOld = (path: string) => {
  utimesSync(dirname(path), 0, 0);
};

describe('a file that was sent', () => {
  it('is deleted a day later where no campaign has it', async () => {
    const { path } = await send('loose.csv');
    await clock.advance(DAY_MS - HOUR_MS);
    expect(await sweep()).toBe(0);
    await clock.advance(2 * HOUR_MS);
    expect(await sweep()).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('stays as long as it is a list of a draft, and goes with it', async () => {
    const path = await aDraft();
    await clock.advance(30 * DAY_MS);
    makeOld(path);
    expect(await sweep()).toBe(0);
    expect(existsSync(path)).toBe(true);
    await removeDraft(spring, world);
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('stays where its draft is cancelled, as that can be undone, and goes a day after it is archived', async () => {
    const path = await aDraft();
    await cancelCampaign({ ...spring, undo: false, yes: true }, world);
    await clock.advance(30 * DAY_MS);
    makeOld(path);
    await sweep();
    expect(existsSync(path)).toBe(true);
    await archiveCampaign({ ...spring, undo: false }, world);
    await sweep();
    expect(existsSync(path)).toBe(true);
    await clock.advance(DAY_MS + 1);
    await sweep();
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('goes when its people are in the campaign', async () => {
    const path = await aDraft();
    expect((await takeIn()).waiting).toBe(1);
    expect(existsSync(dirname(path))).toBe(false);
    expect(await lists()).toMatchObject([{ path: 'spring.csv', good: 1, headers: ['phone'] }]);
  });

  it('goes with the next sweep after a kill between its last row and its deletion', async () => {
    const path = await aDraft();
    change(join(world.cwd, 'data', 'callsheet.db'), 'UPDATE lists SET finished_at = 1');
    makeOld(path);
    await sweep();
    expect(existsSync(path)).toBe(false);
  });
});

describe('a list whose import was broken off', () => {
  it('is read again from where its file is kept, by its next import, however old it is', async () => {
    const path = await aDraft();
    breakOff();
    expect(await heldUpBy()).toContain('`callsheet run spring` goes on with it');
    await clock.advance(7 * DAY_MS);
    makeOld(path);
    await sweep();
    expect((await takeIn()).waiting).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('says what to do where its file is gone', async () => {
    const path = await aDraft();
    breakOff();
    rmSync(path);
    expect(await heldUpBy()).toContain('`callsheet import spring <list>` with the same bytes');
  });

  it('is finished before the lists that were sent beside it, in one import', async () => {
    await aDraft();
    const more = await send('more.csv', 'phone\n+12125550102\n');
    breakOff();
    await addLists(access, { ...spring, uploads: [more.id] }, world);
    expect((await takeIn()).waiting).toBe(2);
    expect(await lists()).toMatchObject([{ good: 1 }, { path: 'more.csv', good: 1 }]);
  });
});

it('a completed campaign says that the import of a further list was broken off', async () => {
  await aDraft();
  await takeIn();
  breakOff();
  change(join(world.cwd, 'data', 'callsheet.db'), "UPDATE campaigns SET state = 'completed'");
  expect(await heldUpBy()).toContain('was broken off');
});

it('a list that was sent while its draft was started is told, as nobody is called before it is in', async () => {
  await aDraft();
  change(join(world.cwd, 'data', 'callsheet.db'), "UPDATE campaigns SET state = 'running'");
  expect(await heldUpBy()).toContain('nobody is called until all its rows are in');
});

it('a draft is not given up while a process imports its list', async () => {
  const path = await aDraft();
  const importer = JSON.stringify({ ...world.owner, seenAt: clock.now() });
  change(
    join(world.cwd, 'data', 'callsheet.db'),
    `UPDATE lists SET importer = '${importer}', headers = '["phone"]'`,
  );
  await expect(removeDraft(spring, world)).rejects.toThrow('goes on (pid');
  expect(existsSync(path)).toBe(true);
});

it('a draft that was started takes no list and is not given up', async () => {
  await aDraft();
  await takeIn();
  const late = await send('late.csv', 'phone\n+12125550102\n');
  change(join(world.cwd, 'data', 'callsheet.db'), "UPDATE campaigns SET state = 'running'");
  for (const refused of [
    () => addLists(access, { ...spring, uploads: [late.id] }, world),
    () => removeDraft(spring, world),
  ])
    await expect(refused()).rejects.toMatchObject({ code: 'CAMPAIGN_STARTED' });
  expect(existsSync(late.path)).toBe(true);
});

describe('files that were sent', () => {
  it('are deleted with a draft whose database is a link: they are where that leads', async () => {
    const linked = { db: 'link.db' };
    mkdirSync(join(world.cwd, 'there'));
    symlinkSync(join('there', 'calls.db'), join(world.cwd, 'link.db'));
    const name = consolePath(linked, world);
    folder = uploadFolder({ name, folder: dirname(name) });
    const { id, path } = await send('spring.csv');
    expect(path).toContain(join(world.cwd, 'there', 'uploads'));
    await createDraft(access, { ...linked, uploads: [id] }, world);
    await removeDraft({ ...linked, campaign: 'spring' }, world);
    expect(existsSync(path)).toBe(false);
  });

  it('are in one folder for the console and for a database on a server, also behind a link', () => {
    symlinkSync(tempFolder(), join(world.cwd, 'home'));
    const own = join(world.cwd, 'home', 'data', 'db-calls-spring');
    const ofServer = uploadFolder({ name: 'postgres://db/calls?schema=spring', folder: own });
    const ofConsole = uploadFolder({ name: join(own, 'console.db'), folder: own });
    expect(ofServer).toBe(ofConsole);
  });

  it('are named with the machine that has them where they are not here', async () => {
    const { id, path } = await send('spring.csv');
    rmSync(path);
    const create = (on: typeof world) =>
      createDraft(access, { ...FILES, uploads: [id] }, on).catch((error: unknown) => error);
    const elsewhere = { ...world, owner: { ...world.owner, host: 'b' } };
    expect(await create(elsewhere)).toMatchObject({
      code: 'UPLOAD_ELSEWHERE',
      message: `The file spring.csv is not on this machine: it is on ${world.owner.host}.`,
    });
    expect(await create(world)).toMatchObject({
      code: 'UPLOAD_ELSEWHERE',
      message: 'The file spring.csv is not on this machine: it was deleted.',
    });
    expect(await sweepUploads(access, folder, FILES, elsewhere)).toBe(0);
    expect((await access.findUpload(id))?.machine).toBe(world.owner.host);
  });
});
