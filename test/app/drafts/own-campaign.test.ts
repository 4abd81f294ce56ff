import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConsoleStore } from '../../../src/app/access/console-store.ts';
import { draftRequest } from '../../../src/app/drafts/draft-request.ts';
import { openDraft } from '../../../src/app/drafts/draft.ts';
import { changeDraft, createDraft } from '../../../src/app/drafts/drafts.ts';
import { beginOwn } from '../../../src/app/drafts/plan-draft.ts';
import { sweepUploads } from '../../../src/app/drafts/sweep.ts';
import { keepUpload } from '../../../src/app/drafts/uploads.ts';
import { findCampaign } from '../../../src/app/places/databases.ts';
import { importInto } from '../../../src/app/plan/import-into.ts';
import type { ConsoleStore } from '../../../src/store/console.ts';
import { listCampaigns } from '../../../src/app/watch/campaigns.ts';
import { DAY_MS } from '../../../src/domain/time-units.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { change } from '../../store/sqlite/database.ts';

const LIST = 'phone\n+12125550101\n';
const FILES = { db: undefined, services: undefined };

let clock: VirtualClock;
let world: ReturnType<typeof fakeWorld>;
let access: ConsoleStore;
beforeEach(() => {
  clock = new VirtualClock();
  world = fakeWorld({ cwd: tempFolder(), clock });
  access = openConsoleStore({}, world);
});
afterEach(() => access.close());

async function aDraft() {
  const body = (async function* () {
    yield Buffer.from(LIST);
  })();
  const place = { folder: join(world.cwd, 'uploads'), mostBytes: 1_000 };
  const upload = await keepUpload(
    access,
    place,
    { name: 'spring.csv', bytes: undefined, body },
    world,
  );
  const { id } = await createDraft(access, { uploads: [upload.id], db: undefined }, world);
  await changeDraft(access, id, { service: 'simulated', db: undefined }, world);
  return id;
}

const begin = async (id: string) => beginOwn(access, await openDraft(access, id), FILES, world);
const importDraft = async (id: string, campaignId: string) =>
  importInto(
    {
      ...(await draftRequest(await openDraft(access, id), FILES, world)),
      ...{ campaignId, yes: false, again: false, sync: false },
    },
    world,
  );
const idOf = async (name: string) => (await findCampaign(name, FILES, world))?.campaign.id;

describe('the campaign of a draft', () => {
  it('is gone on with after a crash', async () => {
    const draft = await aDraft();
    const campaign = await begin(draft);
    await importDraft(draft, campaign);
    expect(await idOf('spring')).toBe(campaign);
    // The console ended before it had deleted the draft.
    expect(await begin(draft)).toBe(campaign);
    await importDraft(draft, campaign);
    expect(await idOf('spring')).toBe(campaign);
  });

  it('is not one that somebody else has made while the start waited for its word', async () => {
    const draft = await aDraft();
    const campaign = await begin(draft);
    const list = join(world.cwd, 'spring.csv');
    writeFileSync(list, LIST);
    const theirs = { ...FILES, list, yes: false, again: false, sync: false };
    const given = { flags: { service: 'simulated' }, sets: [], setFlag: 'set' };
    await importInto({ ...theirs, given }, world);
    await expect(importDraft(draft, campaign)).rejects.toMatchObject({ code: 'CAMPAIGN_EXISTS' });
    await expect(begin(draft)).rejects.toMatchObject({ code: 'CAMPAIGN_EXISTS' });
  });

  it('is another one once the first was renamed', async () => {
    const draft = await aDraft();
    const campaign = await begin(draft);
    expect(await begin(draft)).not.toBe(campaign);
  });

  it('takes the draft away at the next start of the console, when all lists of it are in', async () => {
    const draft = await aDraft();
    await clean();
    await importDraft(draft, await begin(draft));
    const [upload] = (await openDraft(access, draft)).uploads;
    breakOff();
    await clean();
    expect(await access.findDraft(draft)).toBeDefined();
    change(join(world.cwd, 'data', 'simulated.db'), 'UPDATE lists SET finished_at = 1');
    await clean(() => true);
    expect(await access.findDraft(draft)).toBeDefined();
    await clean();
    expect(await access.findDraft(draft)).toBeUndefined();
    expect(existsSync(upload?.path ?? '')).toBe(false);
  });

  it('leaves a draft whose lists a person has taken out: its choices are still theirs', async () => {
    const draft = await aDraft();
    await importDraft(draft, await begin(draft));
    await changeDraft(access, draft, { uploads: [], db: undefined }, world);
    await clean();
    expect(await access.findDraft(draft)).toBeDefined();
  });

  it('is left alone where a database cannot be read, and other uploads go after their day', async () => {
    const draft = await aDraft();
    await importDraft(draft, await begin(draft));
    const place = { folder: join(world.cwd, 'uploads'), mostBytes: 1_000 };
    const body = (async function* () {
      yield Buffer.from(LIST);
    })();
    const loose = await keepUpload(access, place, { name: 'b.csv', bytes: undefined, body }, world);
    writeFileSync(join(world.cwd, 'data', 'callsheet.db'), 'no database');
    await clock.advance(2 * DAY_MS);
    expect(await clean()).toBe(1);
    expect(existsSync(loose.path)).toBe(false);
    expect(await access.findDraft(draft)).toBeDefined();
  });

  it('reads an import that was broken off again from where the upload is kept', async () => {
    const draft = await aDraft();
    await importDraft(draft, await begin(draft));
    breakOff();
    const found = await listCampaigns({ archived: false }, world);
    expect(found.campaigns[0]?.heldUpBy).toContain('`callsheet run spring` goes on with it');
    const [upload] = (await openDraft(access, draft)).uploads;
    rmSync(upload?.path ?? '');
    const [gone] = (await listCampaigns({ archived: false }, world)).campaigns;
    expect(gone?.heldUpBy).toContain('`callsheet import spring <list>` with the same bytes');
  });

  it('keeps the lists of the draft beyond their day while its import is broken off', async () => {
    const draft = await aDraft();
    await importDraft(draft, await begin(draft));
    breakOff();
    await clock.advance(7 * DAY_MS);
    expect(await clean()).toBe(0);
    const [upload] = (await openDraft(access, draft)).uploads;
    expect(existsSync(upload?.path ?? '')).toBe(true);
  });
});

const clean = (isInUse = () => false) =>
  sweepUploads(access, { folder: join(world.cwd, 'uploads'), files: FILES }, world, isInUse);

/** Leaves the campaign as a console does that is killed before the last row is in. */
function breakOff(): void {
  change(join(world.cwd, 'data', 'simulated.db'), 'UPDATE lists SET finished_at = NULL');
}
