import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { shareOf } from '../helpers/properties.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Characters; `npm run bench:hostile` feeds a million of them, and measures. */
const SIZE = 32_000;
/** For these, a quadratic reader needs more; a linear one some 10 ms. */
const LIMIT_MS = 2_000;
/** Some readers take cells up to this length alone. */
const CELL = 1_000;

const { MORE, READERS, UNITS } = (await import(
  new URL('../bench/hostile/readers.mjs', import.meta.url).href
)) as {
  MORE: Readonly<Record<string, readonly unknown[]>>;
  READERS: readonly { file: string; name: string }[];
  UNITS: readonly string[];
};

/** One for all readings: to make a context takes longer than to read. */
const context = createContext({});
const script = new Script('run()');

/** True where reading takes too long. What a reader throws is an answer, too. */
function isTooLong(read: (text: string) => unknown, text: string): boolean {
  const run = () => {
    try {
      read(text);
    } catch {
      // An answer; the end of the time is thrown past this, by the context.
    }
  };
  try {
    context['run'] = run;
    script.runInContext(context, { timeout: LIMIT_MS });
    return false;
  } catch {
    return true;
  }
}

describe(`${UNITS.length} hostile texts take linear time`, () => {
  it.each(READERS)('$name of $file', async ({ file, name }) => {
    const module = (await import(join(ROOT, file))) as Record<
      string,
      (...given: unknown[]) => unknown
    >;
    const read = (text: string) => module[name]?.(text, ...(MORE[name] ?? []));
    const slow = shareOf(UNITS, 3).flatMap((unit) => {
      const text = unit.repeat(Math.ceil(SIZE / unit.length));
      const cells = (whole: string) => {
        for (let at = 0; at < whole.length; at += CELL) read(whole.slice(at, at + CELL - 1) + '!');
      };
      return isTooLong(read, `a${text}\n!`) || isTooLong(cells, text) ? [unit] : [];
    });
    expect(slow).toEqual([]);
  });
});
