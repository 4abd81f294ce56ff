import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookAtList } from '../../../src/leads/rows/first-reading.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { tempFolder } from '../../helpers/files/temp.ts';

/** 100 million rows in some 100 kB: the members of a gzip file are unpacked one after the other. */
function endless(folder: string): string {
  const member = gzipSync('Ann,+12125550101\n'.repeat(1_000_000), { level: 9 });
  const file = join(folder, 'endless.csv.gz');
  writeFileSync(
    file,
    Buffer.concat([gzipSync('name,phone\n'), ...Array<Buffer>(100).fill(member)]),
  );
  return file;
}

describe('a look at a list of 100 million rows', () => {
  let file: string;
  beforeAll(() => {
    file = endless(tempFolder(afterAll));
  });

  it('ends after a million rows, and says so', async () => {
    const look = await lookAtList('endless.csv.gz', { file, clock: new VirtualClock() });
    expect(look.rows).toBeNull();
    expect(look.warnings.at(-1)).toMatch(
      /^only the first 1,00\d,\d{3} rows were looked at here; all are read before anybody is called$/,
    );
    expect(look.mapBy([]).phones).toEqual([1]);
  });

  it('ends when somebody has waited for long enough', async () => {
    let ms = 0;
    const clock = { monotonic: () => (ms += 100) };
    const look = await lookAtList('endless.csv.gz', { file, clock });
    expect(look.rows).toBeNull();
    expect(look.warnings.at(-1)).toMatch(/^only the first \d{1,3},\d{3} rows/);
  });
});
