import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnalyticsReader } from '../../src/service/calls/analytics.ts';
import { readDialBody } from '../../src/service/calls/dial.ts';
import { parseJson } from '../../src/service/http/body.ts';
import { nextPage } from '../../src/service/http/paging.ts';
import { loadProfile, type Profile } from '../../src/service/profile/profile.ts';
import { candidatesOf, createSampleReader } from '../../src/service/profile/profile-samples.ts';
import { examples } from '../helpers/properties.ts';

/** Answers tried over all profiles: few here, all of them with FUZZ_ANSWERS=100000. */
const ALL_ANSWERS = Number(process.env['FUZZ_ANSWERS'] ?? examples(1_400));
/** Longer than any answer of the sizes made here may take, on the slowest machine. */
const HANG_MS = 5_000;

const PROFILES = [
  'voice-agent',
  'vapi',
  'retell',
  'elevenlabs',
  'bland',
  'bolna',
  'twilio',
  'synthflow',
  'ultravox',
  'vogent',
  'cartesia',
];
const ANSWERS = Math.ceil(ALL_ANSWERS / PROFILES.length);
/** All of them take a while. */
const PATIENCE = { timeout: 30_000 + ALL_ANSWERS * 20 };

/** Values that stand at the ends of what a reader may meet. */
const ODD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    0,
    -0,
    -1,
    1e308,
    2 ** 53,
    '00:00:00',
    'NaN',
    'completed',
    '\ud800',
    '__proto__',
    '2026-01-05T15:00:00Z',
    '9'.repeat(400),
    'x'.repeat(10_000),
  ),
  fc.constant('{').map((brace) => JSON.parse(`{"__proto__":${brace}}}`) as unknown),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.constantFrom(null, {}, [], { role: 'agent', text: 'x' }, 'x', 7)),
);

describe.each(PROFILES)('the reader of %s', (name) => {
  const path = `campaigns/profiles/${name}.yaml`;
  const profile = loadProfile(readFileSync(path, 'utf8'), path);
  const answers = answersFor(profile);

  test('takes any answer without failing, and what it settles can be kept', PATIENCE, () => {
    const { read, readNotYet } = createAnalyticsReader(profile.analytics);
    fc.assert(
      fc.property(answers, (text) => {
        const answer = parseJson(text);
        const reading = inTime(() => read(answer, 1e13));
        expect(['pending', 'ended', 'settled', 'unreadable']).toContain(reading.kind);
        expect(['pending', 'ended']).toContain(inTime(() => readNotYet(answer)).kind);
        if (reading.kind !== 'settled') return;
        const { transcript, turns, durationMs, cost, sentiment, extracted } = reading.analytics;
        for (const value of [transcript, sentiment?.label ?? null]) {
          expect(value === null || typeof value === 'string').toBe(true);
        }
        for (const value of [durationMs, sentiment?.score ?? null]) {
          expect(value === null || Number.isFinite(value)).toBe(true);
        }
        expect(cost ?? '0').toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(durationMs ?? 0).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(durationMs ?? 0)).toBe(true);
        expect(turns.every((turn) => typeof turn.text === 'string')).toBe(true);
        expect(() => JSON.stringify([reading.analytics.raw, extracted])).not.toThrow();
      }),
      { numRuns: ANSWERS, seed: 4 },
    );
  });

  test('reads dials, pages and samples of any shape', PATIENCE, () => {
    const sample = createSampleReader(profile, 0);
    const url = new URL('https://service.invalid/list');
    fc.assert(
      fc.property(answers, fc.boolean(), (text, isSuccess) => {
        const { callId } = inTime(() => readDialBody(text, isSuccess, profile.dial));
        expect(callId === null || (isSuccess && callId.trim() !== '')).toBe(true);
        const answer = parseJson(text);
        const page = { answer, url, linkHeader: text, items: [answer], collected: 1 };
        const next = inTime(() => nextPage(page, profile.agents.list));
        if (typeof next === 'object') expect(next.at.origin).toBe(url.origin);
        for (const kind of ['dial', 'analytics', 'agents', 'calls', 'slots', 'webhook']) {
          expect(inTime(() => sample({ name: `${kind}.json`, text }))).toMatchObject({
            operation: kind,
          });
        }
      }),
      { numRuns: Math.ceil(ANSWERS / 5), seed: 5 },
    );
  });
});

test('what is a profile is known of any text', PATIENCE, () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => loadProfile(text, 'mine.yaml')).toThrow(
        /^(mine\.yaml has \d+ problems:\n {2})?mine\.yaml:\d+:\d+: /,
      );
    }),
    { numRuns: Math.ceil(ANSWERS / 5), seed: 6 },
  );
});

/** Answers with the profile's own names in them, so that its candidates are met, and their bytes spoilt at times. */
function answersFor(profile: Profile): fc.Arbitrary<string> {
  const names = new Set(['data', 'body', 'status', 'x']);
  for (const { text } of candidatesOf(profile).values()) {
    for (const [, name = ''] of text.matchAll(/(?:body\.)?([A-Za-z_]\w*)/g)) names.add(name);
  }
  const statuses = fc.constantFrom(
    ...profile.analytics.status.ended,
    ...profile.analytics.status.processing,
    'ended',
    'x',
  );
  const key = fc.constantFrom(...names);
  const fields = (value: fc.Arbitrary<unknown>) => fc.dictionary(key, value, { maxKeys: 12 });
  const objects = fields(fc.oneof(ODD, statuses, fields(fc.oneof(ODD, statuses, fields(ODD)))));
  return fc.oneof(
    { weight: 8, arbitrary: objects.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.array(objects, { maxLength: 3 }).map((value) => JSON.stringify(value)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(objects, fc.nat(200), fc.string({ maxLength: 3 }))
        .map(([value, at, noise]) => {
          const text = JSON.stringify(value);
          return text.slice(0, at) + noise + text.slice(at);
        }),
    },
    {
      weight: 1,
      arbitrary: fc.nat(5_000).map((depth) => '{"data":'.repeat(depth) + '1' + '}'.repeat(depth)),
    },
  );
}

/** A reader that hangs is a runner that stands still. */
function inTime<T>(work: () => T): T {
  const start = performance.now();
  const value = work();
  const took = performance.now() - start;
  // No `expect` for each of thousands of calls.
  if (took >= HANG_MS) throw new Error(`took ${took} ms`);
  return value;
}
