import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSpool } from '../../src/runtime/files.ts';
import { tempFolder } from '../helpers/files/temp.ts';

test('a spool gives back what was written, as bytes and as lines, again and again', async () => {
  const spool = await openSpool();
  await spool.write('one\ntw');
  await spool.write(Buffer.from('ö\n'));
  for (let n = 0; n < 2; n++) {
    const chunks: Buffer[] = [];
    for await (const chunk of spool.read()) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('one\ntwö\n');
    const lines: string[] = [];
    for await (const line of spool.lines()) lines.push(line);
    expect(lines).toEqual(['one', 'twö']);
  }
  await spool.close();
});

test('a spool has no name that anybody could open or that could be left behind', async () => {
  const folder = tempFolder();
  const spool = await openSpool(folder);
  await spool.write('private');
  expect(readdirSync(folder)).toEqual([]);
  await spool.close();
});
