import { expect, test } from 'vitest';
import { bufferedSink } from '../../../src/results/formats/buffered-sink.ts';

const KB = 'x'.repeat(1_024);

test('pieces come out in their order, in few chunks, text and bytes alike', async () => {
  const chunks: Buffer[] = [];
  const pieces: (string | Uint8Array)[] = [];
  for (let n = 0; n < 2_000; n++)
    pieces.push(n % 700 < 350 ? `${n} é ${KB}` : Buffer.from([n % 256]));

  const rows = await bufferedSink(
    async (chunk) => {
      chunks.push(Buffer.from(chunk));
    },
    async (sink) => {
      for (const piece of pieces) await sink(piece);
      return 7;
    },
  );

  expect(rows).toBe(7);
  // As bytes: comparing them one by one takes seconds.
  const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  expect(Buffer.concat(chunks).equals(whole)).toBe(true);
  expect(chunks.length).toBeLessThan(20);
});

test('one chunk is written at a time', async () => {
  let open = 0;
  let most = 0;
  await bufferedSink(
    async () => {
      most = Math.max(most, (open += 1));
      await Promise.resolve();
      open -= 1;
    },
    async (sink) => {
      for (let n = 0; n < 2_000; n++) await sink(KB);
      return 0;
    },
  );
  expect(most).toBe(1);
});

test.each([
  ['while more pieces come', 2_000],
  ['with the last piece', 1],
])('a disk that is full %s is told', async (_, pieces) => {
  const writing = bufferedSink(
    async () => Promise.reject(new Error('no space left')),
    async (sink) => {
      for (let n = 0; n < pieces; n++) await sink(KB);
      return 0;
    },
  );
  await expect(writing).rejects.toThrow('no space left');
});

test('an error on the way is the answer once what was begun is written', async () => {
  let written = 0;
  const writing = bufferedSink(
    async () => {
      await Promise.resolve();
      written += 1;
    },
    async (sink) => {
      for (let n = 0; n < 300; n++) await sink(KB);
      throw new Error('row 300 is broken');
    },
  );
  await expect(writing).rejects.toThrow('row 300 is broken');
  expect(written).toBe(1);
});
