import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type * as rules from '../../src/config/rules/load-rule.ts';
import type * as clock from '../../src/runtime/clock.ts';
import type * as profiles from '../../src/service/profile/profile.ts';
import type * as disk from '../../src/store/sqlite/file/ballast.ts';

// What all tests do thousands of times, and need not wait for. `npm run planted-faults` runs them without this.

// A group commit gathers for some real milliseconds, and a night in a test has thousands of them one after the
// other: here it gathers for a turn of the event loop.
vi.mock('../../src/runtime/clock.ts', async (original) => ({
  ...(await original<typeof clock>()),
  afterRealTime: (_ms: number, work: () => void) => {
    setImmediate(work);
  },
}));

// Thousands of tests open a database to dial, and its ballast of 4 MB would take a third of the time.
vi.mock('../../src/store/sqlite/file/ballast.ts', async (original) => {
  const own = await original<typeof disk>();
  // The object itself, as files of tests share modules that have it.
  Object.assign(own.systemDisk, { ballastBytes: 4_096 });
  return own;
});

// Almost every command reads the same profile of 200 lines, and there are thousands of commands.
vi.mock('../../src/service/profile/profile.ts', async (original) => {
  const { loadProfile, ...rest } = await original<typeof profiles>();
  const known = new Map<string, profiles.Profile>();
  return {
    ...rest,
    loadProfile: (text: string, path: string): profiles.Profile => {
      const before = known.get(`${path} ${text}`);
      if (before !== undefined) return before;
      const profile = loadProfile(text, path);
      // Not for those that a test makes up by thousands.
      if (known.size < 50) known.set(`${path} ${text}`, profile);
      return profile;
    },
  };
});

// The same of the rules that come with callsheet: each command that makes a plan reads all of them, and more than once.
vi.mock('../../src/config/rules/load-rule.ts', async (original) => {
  const { loadRule, allParts, ...rest } = await original<typeof rules>();
  type Files = ReturnType<typeof allParts>;
  const shipped = new Map<string, Files[number]>();
  const partsOf = new Map<string, Files>();
  return {
    ...rest,
    loadRule: (name: string, beside: string | undefined, home?: string): Files[number] => {
      // Another rule of that name may have come into one of these folders.
      const own = [beside && join(beside, 'rules'), home && rest.rulesOf(home)];
      if (/[/\\.]/.test(name) || own.some((folder) => folder !== undefined && existsSync(folder)))
        return loadRule(name, beside, home);
      const rule = shipped.get(name) ?? loadRule(name, beside, home);
      shipped.set(name, rule);
      return rule;
    },
    allParts: (files: Files): Files => {
      if (!files.every((file) => file.shipped)) return allParts(files);
      const key = JSON.stringify(files.map(({ path, rule }) => [path, rule.only]));
      const parts = partsOf.get(key) ?? allParts(files);
      partsOf.set(key, parts);
      return [...parts];
    },
  };
});
