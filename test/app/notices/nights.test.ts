import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeEndedNights } from '../../../src/app/nights/ended-nights.ts';
import { thisProcess } from '../../../src/runtime/process.ts';
import { ENTRY } from '../../conformance/store/setup.ts';
import { tempFolder } from '../../helpers/files/temp.ts';
import { aScene, HOUR, MINUTE } from './scene.ts';

const NIGHT = '2026-01-05';

/** A night with a call that is over, and whose results go into a file of its own. */
async function aMorning() {
  const folder = join(tempFolder(), 'out');
  const results = { file: join(folder, 'spring-{date}.csv'), format: 'csv' as const };
  const scene = await aScene(undefined, { results });
  await scene.call('call_1');
  await scene.clock.advance(24 * HOUR);
  /** What another look tells. */
  const look = async () => {
    await scene.process().tellNights();
    const told = await scene.told();
    return told.filter(({ event }) => event === 'finished').map((body) => body['results']);
  };
  return { ...scene, folder, file: join(folder, `spring-${NIGHT}.csv`), look };
}

describe('the end of a night whose results have a file of their own', () => {
  it('is told once the file can be written, with its path', async () => {
    const { folder, file, clock, look } = await aMorning();
    writeFileSync(folder, 'the folder is away');
    expect(await look()).toEqual([]);
    expect(await look()).toEqual([]);
    rmSync(folder);
    await clock.advance(16 * MINUTE);
    expect(await look()).toEqual([file]);
    expect(readFileSync(file, 'utf8')).toContain('call_phone');
    expect(await look()).toEqual([]);
  });

  it('waits for a process that is writing the file', async () => {
    const { store, campaign, file, clock, look, process, told } = await aMorning();
    const by = { ...thisProcess(), at: clock.now(), before: null };
    await store.takeNightResults(campaign.id, NIGHT, by, null);
    expect(await look()).toEqual([]);
    await store.keepNightFile({
      ...{ campaignId: campaign.id, night: NIGHT, file, at: clock.now(), calls: null },
      machine: 'host-2',
    });
    await process().tellNights();
    expect((await told()).at(-1)).toMatchObject({ results: file, resultsMachine: 'host-2' });
  });

  it('is told without results where the file must not be replaced, also when that was found before', async () => {
    const { store, world, file, look } = await aMorning();
    mkdirSync(dirname(file));
    writeFileSync(file, 'my notes\n');
    await writeEndedNights(store, world);
    expect(await look()).toEqual([null]);
    expect(readFileSync(file, 'utf8')).toBe('my notes\n');
  });

  it('is told without results for nights before the last one, while none has a file', async () => {
    const { folder, file, call, clock, look } = await aMorning();
    writeFileSync(folder, 'the folder is away');
    expect(await look()).toEqual([]);
    rmSync(folder);
    await call('call_2');
    await clock.advance(24 * HOUR);
    expect(await look()).toEqual([null, file.replace(NIGHT, '2026-01-06')]);
  });

  it('is told without results where the campaign is archived', async () => {
    const { store, campaign, clock, look } = await aMorning();
    await store.changeCampaign(campaign.id, { state: 'cancelled' }, ENTRY);
    await store.changeCampaign(campaign.id, { archivedAt: clock.now() }, ENTRY);
    expect(await look()).toEqual([null]);
  });
});

it('a night that has begun closes without a notice where nobody is named any more', async () => {
  const { store, clock, process, told, call } = await aScene();
  await call('call_1');
  await process().tellNights();
  expect(await told()).toMatchObject([{ event: 'started' }]);
  await clock.advance(24 * HOUR);
  await process(store, []).tellNights();
  expect(await store.openNights(null)).toEqual([]);
  await process().tellNights();
  expect(await told()).toEqual([]);
});
