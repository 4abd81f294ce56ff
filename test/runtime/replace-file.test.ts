import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginFile } from '../../src/runtime/files.ts';
import { tempFolder } from '../helpers/files/temp.ts';

test('a file appears whole under its name, readable by its owner only, in folders made for it', async () => {
  const path = join(tempFolder(), 'a', 'b', 'out.csv');
  const file = await beginFile(path);
  await file.write('one\n');
  await file.write('two\n');
  expect(readdirSync(join(path, '..'))).toEqual(['.out.csv.1.tmp']);
  await file.commit(path);
  await file.discard();
  expect(readdirSync(join(path, '..'))).toEqual(['out.csv']);
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a discarded file leaves what was there before', async () => {
  const folder = tempFolder();
  const path = join(folder, 'out.csv');
  writeFileSync(path, 'before');
  const file = await beginFile(path);
  await file.write('half of it');
  await file.discard();
  await file.discard();
  expect(readdirSync(folder)).toEqual(['out.csv']);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('a commit that fails leaves nothing behind', async () => {
  const folder = tempFolder();
  const path = join(folder, 'out.csv');
  const file = await beginFile(path);
  await file.write('whole');
  mkdirSync(join(path, 'full'), { recursive: true });
  await expect(file.commit(path)).rejects.toThrow();
  await file.discard();
  expect(readdirSync(folder)).toEqual(['out.csv']);
});

test('two writers of one file do not disturb each other, and the later commit stays', async () => {
  const path = join(tempFolder(), 'out.csv');
  const [first, second] = [await beginFile(path), await beginFile(path)];
  await first.write('first');
  await second.write('second');
  await second.commit(path);
  await first.commit(path);
  expect(readFileSync(path, 'utf8')).toBe('first');
});
