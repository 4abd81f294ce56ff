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

test.each([
  ['voice-agent.yaml', 'none', false],
  ['twilio.yaml', 'none', false],
  ['synthflow.yaml', { named: '{name}' }, true],
  ['telnyx.yaml', { named: '{{name}}', own: ['telnyx_*'] }, true],
  ['bland.yaml', { named: '{{name}}', own: [] }, true],
])('%s says how prompts name the columns of a list, or that none is sent', (name, says, sends) => {
  const { variables, body } = loadProfile(read(name), name).dial;
  expect({ variables }).toMatchObject({ variables: says });
  expect([...body.uses].some((use) => use.startsWith('variables'))).toBe(sends);
});

test('a profile that names them in another way is refused', () => {
  const text = read('voice-agent.yaml').replace(
    'variables: none',
    "variables: { named: '[name]' }",
  );
  expect(() => loadProfile(text, 'mine.yaml')).toThrow(/variables/);
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
