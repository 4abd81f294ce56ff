import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readText } from '../../../src/leads/read/list-text.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

/** The lines of the zero bytes in a file, and the message where it is no UTF-8. */
async function linesIn(bytes: Buffer): Promise<{ zeros: number[]; message: string }> {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, bytes);
  const zeros: number[] = [];
  const onZero = (line: number) => zeros.push(line);
  let message = '';
  try {
    for await (const text of readText(path, 'utf-8', { onZero })) message = text.slice(0, 0);
  } catch (error) {
    message = String(error);
  }
  return { zeros, message };
}

const PIECE_BYTES = 65_536;

/** A first line whose CR is the last byte of the first chunk. */
const FIRST_LINE = Buffer.from(`${'x'.repeat(PIECE_BYTES - 1)}\r\n`);

it('a line that ends between two chunks is counted once', async () => {
  expect(await linesIn(Buffer.concat([FIRST_LINE, Buffer.from('a\0\r\n')]))).toMatchObject({
    zeros: [2],
    message: '',
  });
  const damaged = Buffer.concat([FIRST_LINE, Buffer.from('a'), Buffer.of(0xff, 0x41)]);
  expect((await linesIn(damaged)).message).toContain('(line 2)');
  const cutOff = Buffer.concat([FIRST_LINE, Buffer.of(0xc3)]);
  expect((await linesIn(cutOff)).message).toContain('(line 2)');
});

it('a CR alone at the end of a chunk ends a line', async () => {
  const first = Buffer.from(`${'x'.repeat(PIECE_BYTES - 1)}\r`);
  expect(await linesIn(Buffer.concat([first, Buffer.from('a\0')]))).toMatchObject({ zeros: [2] });
  const damaged = Buffer.concat([first, Buffer.of(0xff, 0x41)]);
  expect((await linesIn(damaged)).message).toContain('(line 2)');
  const cutOff = Buffer.concat([first, Buffer.of(0xc3)]);
  expect((await linesIn(cutOff)).message).toContain('(line 2)');
});
