import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stageFile } from '../../../src/app/lists/take-file.ts';
import type { Store } from '../../../src/store/port.ts';
import { aPhone } from '../../helpers/factory.ts';
import { aFolder, insteadOf, listOf } from './a-folder.ts';

type Folder = Awaited<ReturnType<typeof aFolder>>;

/** Begins a look, does something while it waits for files to be complete, and lets it come to its end. */
async function lookAnd({ clock, process }: Folder, meddle: () => void) {
  const own = process();
  const looking = own.begin();
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
  meddle();
  await clock.advance(5_000);
  await looking;
  return own;
}

/** Does something as a user whom files can be kept from: nothing can be kept from root. */
async function asPlainUser(folder: string, work: () => Promise<void>): Promise<void> {
  const { getuid, seteuid } = globalThis.process;
  if (getuid?.() !== 0) return work();
  const own = (path: string) => {
    chownSync(path, NOBODY, NOBODY);
  };
  own(folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    own(join(folder, name));
  seteuid?.(NOBODY);
  try {
    await work();
  } finally {
    seteuid?.(0);
  }
}
const NOBODY = 65_534;

describe('a file that is renamed', () => {
  it('before it is complete is taken once, under its last name', async () => {
    const at = await aFolder();
    const { put, folder, waiting, names } = at;
    put('a.csv', listOf(1));
    const { look } = await lookAnd(at, () => {
      renameSync(join(folder, 'a.csv'), join(folder, 'b.csv'));
    });
    expect(await waiting()).toBe(0);
    expect(names()).toEqual(['b.csv']);

    await look();
    expect(await waiting()).toBe(1);
    expect(names('taken')).toEqual(['b.csv']);
  });

  it('from a name for unfinished files is taken from then on', async () => {
    const { put, folder, waiting, names, process } = await aFolder();
    put('a.csv.part', listOf(1));
    const { look } = process();
    await look();
    expect(await waiting()).toBe(0);

    renameSync(join(folder, 'a.csv.part'), join(folder, 'a.csv'));
    await look();
    expect(await waiting()).toBe(1);
    expect(names('taken')).toEqual(['a.csv']);
  });

  it.each<keyof Store>(['claimWatched', 'addLeads', 'endWatched', 'watchedMoved'])(
    'while it is taken, at %s, adds its people once and is not lost',
    async (step) => {
      const { put, folder, waiting, names, process, store, campaign } = await aFolder();
      put('a.csv', listOf(1, 2));
      const rename = () => {
        if (existsSync(join(folder, 'a.csv')))
          renameSync(join(folder, 'a.csv'), join(folder, 'b.csv'));
      };
      const renaming = insteadOf(step, async (call) => {
        rename();
        return call();
      });
      await process(renaming).look();
      await process().look();

      expect(await waiting()).toBe(2);
      expect(await store.lists(campaign.id)).toHaveLength(1);
      expect(names()).toEqual(['taken']);
      expect(names('taken')).toHaveLength(1);
    },
  );

  it('after it was taken, with after: keep, adds nobody', async () => {
    const { put, folder, waiting, names, process, store, campaign } = await aFolder({
      after: 'keep',
    });
    put('a.csv', listOf(1));
    const { look } = process();
    await look();
    renameSync(join(folder, 'a.csv'), join(folder, 'b.csv'));
    await look();
    await look();

    expect(await waiting()).toBe(1);
    expect(await store.lists(campaign.id)).toHaveLength(1);
    expect(names()).toEqual(['b.csv']);
  });
});

describe('a file that is replaced by other content', () => {
  it('of the same length and age before it is complete is waited for again', async () => {
    const at = await aFolder();
    const { put, folder, waiting, store, campaign } = at;
    put('a.csv', listOf(1));
    const { mtimeMs, size } = statSync(join(folder, 'a.csv'));
    const { look } = await lookAnd(at, () => {
      writeFileSync(join(folder, 'other'), listOf(2));
      utimesSync(join(folder, 'other'), mtimeMs / 1_000, mtimeMs / 1_000);
      renameSync(join(folder, 'other'), join(folder, 'a.csv'));
    });
    expect(statSync(join(folder, 'a.csv'))).toMatchObject({ mtimeMs, size });
    expect(await waiting()).toBe(0);

    await look();
    expect(await store.waitingPhones(campaign.id, null, 9)).toEqual([aPhone(2)]);
  });

  it('is not taken under the eyes of whoever copies it', async () => {
    const { put, folder, cwd } = await aFolder();
    put('a.csv', listOf(1));
    const path = join(folder, 'a.csv');
    const seen = statSync(path);
    const copies = join(cwd, 'copies');
    mkdirSync(copies);

    appendFileSync(path, `${aPhone(2)}\n`);
    expect(await stageFile(path, seen, copies)).toBeUndefined();
    rmSync(path);
    expect(await stageFile(path, seen, copies)).toBeUndefined();
    expect(readdirSync(copies)).toEqual([]);
  });

  it('after it was taken, with after: keep, is a list of its own', async () => {
    const { put, waiting, names, process, clock } = await aFolder({ after: 'keep' });
    put('a.csv', listOf(1));
    const { look } = process();
    await look();
    await clock.advance(1_000);
    put('a.csv', listOf(1, 2));
    await look();

    expect(await waiting()).toBe(2);
    expect(names()).toEqual(['a.csv']);
  });
});

describe('the same list twice', () => {
  it('at once adds its people once, and says which one was first', async () => {
    const { put, waiting, names, process, store, campaign } = await aFolder();
    put('a.csv', listOf(1, 2));
    put('b.csv', listOf(1, 2));
    const { look, said } = process();
    await look();

    expect(await waiting()).toBe(2);
    expect(await store.lists(campaign.id)).toHaveLength(1);
    expect(names('taken')).toEqual(['a.csv', 'b.csv']);
    expect(said().match(/b\.csv has the same content as .*a\.csv/g)).toHaveLength(1);
  });
});

describe('a file that may not be read', () => {
  it('stays where it is and is told once, and the others are taken', async () => {
    const { put, cwd, folder, process, waiting, names } = await aFolder();
    put('a.csv', listOf(1));
    put('b.csv', listOf(2));
    chmodSync(join(folder, 'a.csv'), 0);
    const { look, said } = process();
    await asPlainUser(cwd, async () => {
      await look();
      await look();
    });

    expect(await waiting()).toBe(1);
    expect(names()).toEqual(['a.csv', 'taken']);
    expect(said().match(/a\.csv may not be read/g)).toHaveLength(1);

    chmodSync(join(folder, 'a.csv'), 0o600);
    await look();
    expect(await waiting()).toBe(2);
  });

  it('may be the folder itself, which is told once and looked at again', async () => {
    const { put, cwd, folder, process, waiting } = await aFolder();
    put('a.csv', listOf(1));
    const { look, said } = process();
    await asPlainUser(cwd, async () => {
      chmodSync(folder, 0);
      await look();
      await look();
      chmodSync(folder, 0o700);
    });
    expect(said().match(/The folder of lists .* may not be read/g)).toHaveLength(1);
    expect(await waiting()).toBe(0);

    await look();
    expect(await waiting()).toBe(1);
  });
});

describe('50 files at once', () => {
  it('are each what they are: lists, lists in a wrong shape, copies, and one that still grows', async () => {
    const at = await aFolder();
    const { put, folder, waiting, names, store, campaign, refused } = at;
    const name = (n: number) => `${String(n).padStart(2, '0')}.csv`;
    for (let n = 0; n < 40; n++) put(name(n), listOf(n));
    for (let n = 40; n < 45; n++) put(name(n), `name,city\n${n},Boston\n`);
    for (let n = 45; n < 49; n++) put(name(n), listOf(n - 45));
    put(name(49), listOf(49));
    const { look } = await lookAnd(at, () => {
      appendFileSync(join(folder, name(49)), `${aPhone(50)}\n`);
    });

    expect(await waiting()).toBe(40);
    expect(await store.lists(campaign.id)).toHaveLength(40);
    expect(refused).toHaveLength(5);
    expect(names()).toEqual([name(49), 'refused', 'taken']);
    expect(names('taken')).toHaveLength(44);
    expect(names('refused').filter((file) => file.endsWith('.csv'))).toHaveLength(5);

    await look();
    expect(await waiting()).toBe(42);
    expect(names()).toEqual(['refused', 'taken']);
  });
});
