import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../src/service/profile.ts';

const FOLDER = 'campaigns/profiles';
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

describe.each(FILES)('%s', (name) => {
  const profile = loadProfile(read(name), name);

  test('is a profile, and the page of profiles names it', () => {
    expect(read('README.md')).toContain(`\`${name}\``);
  });

  test('calls nobody again on a doubt', () => {
    // A gateway answers these after the request went through.
    for (const status of [500, 502, 503, 504, 408, 409]) {
      expect(profile.dial.answers.get(status) ?? 'unknown').toBe('unknown');
    }
  });
});

test('the reference shows every key that a profile may have', () => {
  const text = read('reference.yaml');
  const { auth, agents, dial, analytics, calls, limits } = loadProfile(text, 'reference.yaml');
  const missing: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (Object.getPrototypeOf(value) !== Object.prototype) return;
    for (const [key, item] of Object.entries(value)) {
      if (!new RegExp(`\\b${key}:`).test(text)) missing.push(`${at}.${key}`);
      visit(item, `${at}.${key}`);
    }
  };
  visit({ auth, agents, dial, analytics, calls, limits }, 'profile');
  // What loading makes of the short forms.
  const made = ['uses', 'needs', 'fields', 'render'];
  expect(missing.filter((path) => !made.includes(path.split('.').at(-1) ?? ''))).toEqual([]);
});
