import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../src/runtime/files.ts';
import { tempFolder } from '../helpers/files/temp.ts';

it('a folder is made with those above it, and may be there', () => {
  const path = join(tempFolder(), 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

it('a folder where the system makes none is refused, and not tried for ever', () => {
  expect(() => {
    makeFolder('/proc/no-such-thing/logs');
  }).toThrow('ENOENT');
});
