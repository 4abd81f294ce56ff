import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadProfile, profileSchema } from '../../../src/service/profile/profile.ts';

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
  const keysIn = (node: z.core.JSONSchema._JSONSchema, at: string): string[] => {
    if (typeof node !== 'object') return [];
    const own = Object.entries(node.properties ?? {});
    const named = own.flatMap(([key, value]) => [`${at}.${key}`, ...keysIn(value, `${at}.${key}`)]);
    return [...named, ...(node.anyOf ?? []).flatMap((each) => keysIn(each, at))];
  };
  const keys = keysIn(z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any' }), '');
  expect(keys.length).toBeGreaterThan(100);
  const isShown = (path: string) => new RegExp(`\\b${path.split('.').at(-1) ?? ''}:`).test(text);
  expect(keys.filter((path) => !isShown(path))).toEqual([]);
});
