import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/runtime/files.ts';

const { GETS_OVER } = (await import(new URL('campaign.mjs', import.meta.url).href)) as {
  GETS_OVER: string[];
};
const src = join(packageRoot(), 'src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(src, name), 'utf8'));

it.each(GETS_OVER)('the soak knows a message as the program says it: %s', (text) => {
  expect(sources.filter((source) => source.includes(text))).not.toEqual([]);
});
