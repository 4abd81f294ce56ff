import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConsoleStore } from '../../../src/app/access/console-store.ts';
import { openDraft } from '../../../src/app/drafts/draft.ts';
import { changeDraft, createDraft, removeDraft } from '../../../src/app/drafts/drafts.ts';
import { sweepUploads } from '../../../src/app/drafts/sweep.ts';
import { keepUpload } from '../../../src/app/drafts/uploads.ts';
import { createJobs } from '../../../src/console/jobs/jobs.ts';
import { DAY_MS } from '../../../src/domain/time-units.ts';
import type { ConsoleStore } from '../../../src/store/console.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

const HOUR_MS = 3_600_000;
const FILES = { db: undefined, services: undefined };
const LIST = 'who,phone\nAnn,+12125550101\n';

function aConsole() {
  const clock = new VirtualClock();
  const cwd = tempFolder();
  const world = fakeWorld({ cwd, clock });
  const place = { folder: join(cwd, 'uploads'), mostBytes: 1_000_000 };
  return { clock, world, place };
}

let at: ReturnType<typeof aConsole>;
let access: ConsoleStore;
beforeEach(() => {
  at = aConsole();
  access = openConsoleStore({}, at.world);
});
afterEach(() => access.close());

const send = (name: string, text = LIST) =>
  keepUpload(
    access,
    at.place,
    {
      name,
      bytes: undefined,
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    },
    at.world,
  );
const sweep = (isInUse: (draft: string) => boolean = () => false) =>
  sweepUploads(access, { ...at.place, files: FILES }, at.world, isInUse);
const begin = (...uploads: string[]) => createDraft(access, { uploads, db: undefined }, at.world);
const change = (id: string, changes: object) =>
  changeDraft(access, id, { ...changes, db: undefined }, at.world);

describe('a list that was sent', () => {
  it('is deleted a day later where no draft has it', async () => {
    const { path } = await send('loose.csv');
    await at.clock.advance(DAY_MS - HOUR_MS);
    expect(await sweep()).toBe(0);
    await at.clock.advance(2 * HOUR_MS);
    expect(await sweep()).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('is deleted a day after its draft was last changed: work on that goes on', async () => {
    const { id, path } = await send('leads.csv');
    const draft = await begin(id);
    await at.clock.advance(DAY_MS - HOUR_MS);
    await change(draft.id, { service: 'simulated' });
    await at.clock.advance(DAY_MS - HOUR_MS);
    expect(await sweep()).toBe(0);
    await at.clock.advance(2 * HOUR_MS);
    expect(await sweep()).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(await access.findUpload(id)).toBeUndefined();
  });

  it('is kept while a start of its draft waits for its word', async () => {
    const draft = await begin((await send('leads.csv')).id);
    const { signal } = new AbortController();
    const jobs = createJobs(at.world, { dialling: signal, all: signal, left: signal });
    const order = { kind: 'call', about: 'leads', draft: draft.id, who: 'ann' };
    const job = jobs.start(order, (world) => world.confirm('This calls 1 real person.'));
    await at.clock.advance(3 * DAY_MS);
    expect(await sweep((id) => jobs.isUsing(id))).toBe(0);
    jobs.answer(job.id, job.question?.id ?? 0, 'yes');
    await jobs.ended();
    expect(await sweep((id) => jobs.isUsing(id))).toBe(1);
  });
});

describe('a draft whose list was deleted', () => {
  const left = async () => {
    const { id } = await send('leads.csv');
    const draft = await begin(id);
    await change(draft.id, {
      service: 'simulated',
      settings: { country: 'US' },
      lists: { [id]: { columns: { '#1': 'company' }, encoding: null, delimiter: null } },
    });
    await at.clock.advance(DAY_MS + HOUR_MS);
    await sweep();
    return { draft: draft.id, upload: id };
  };

  it('keeps what was chosen, and the name of the list, also when it is changed', async () => {
    const { draft } = await left();
    const now = await openDraft(access, draft);
    expect(now.body).toMatchObject({ service: 'simulated', settings: { country: 'US' } });
    expect([now.uploads, now.gone]).toMatchObject([[], [{ name: 'leads.csv' }]]);
    const changed = await change(draft, { step: 'settings' });
    expect(changed.gone).toMatchObject([{ name: 'leads.csv' }]);
  });

  it('reads the list as it was chosen once that is sent again, and misses it no more', async () => {
    const { draft } = await left();
    const { id: other } = await send('other.csv');
    const { id: again } = await send('leads.csv');
    const between = await change(draft, { uploads: [other] });
    expect(between.gone).toMatchObject([{ name: 'leads.csv' }]);
    const now = await change(draft, { uploads: [other, again] });
    expect(now.gone).toEqual([]);
    expect(now.body.lists[again]?.columns).toEqual({ '#1': 'company' });
    expect(now.body.lists[other]?.columns).toEqual({});
    expect(Object.keys(now.body.lists)).toEqual([other, again]);
  });

  it('goes on without the list when that is said', async () => {
    const { draft } = await left();
    expect((await change(draft, { gone: [] })).gone).toEqual([]);
    expect((await openDraft(access, draft)).gone).toEqual([]);
  });

  it('can be given up', async () => {
    const { draft } = await left();
    await removeDraft(access, draft);
    expect(await access.drafts()).toEqual([]);
  });
});
