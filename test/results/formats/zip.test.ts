import { expect, test } from 'vitest';
import { zipWriter } from '../../../src/results/xlsx.ts';

test.each([1, 2, 20])(
  'a disk that is full at piece %i is told, and nothing else goes wrong',
  async (full) => {
    let pieces = 0;
    const zip = zipWriter(async () => {
      pieces += 1;
      if (pieces >= full) throw new Error('no space left');
      await Promise.resolve();
    });
    const writing = (async () => {
      for (let entry = 0; entry < 3; entry++) {
        zip.begin(`part${entry}`);
        for (let n = 0; n < 50; n++) {
          let text = '';
          for (let k = 0; k < 5_000; k++)
            text += String((n * 7919 + k * 104_729 + k * k * n) % 1_000_003);
          await zip.write(text);
        }
        zip.finish();
      }
      await zip.end();
    })();
    await expect(writing).rejects.toThrow('no space left');
  },
);
