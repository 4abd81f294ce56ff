import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeCapturedLeads } from '../../../src/results/write.ts';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';
import { DELIVERY_STATES } from '../../../src/domain/same-call.ts';
import { START } from '../../helpers/clock.ts';
import { protocol } from '../../helpers/services/webhooks.ts';
import { PROFILE_TEXT } from '../../service/helpers.ts';
import { aDesk, claimOne, placed, unknown } from './inbox-desk.ts';

/** `npm run simulate-faults -- --deliveries 100000` tries as many as you like. */
const DELIVERIES = Number(process.env['INBOX_FUZZ'] ?? 1_000);
/** So many are received before they are looked at. */
const TOGETHER = 250;
const PEOPLE = 12;
const TIMEOUT_MS = 60_000 + DELIVERIES * 10;

const NUMBERS = [0, -0, 1, -1, 1e15, 1e18, 1.7e18, 1e300, -1e300, 5e-324, 2 ** 53, 1.5, START];
const TEXTS = ['', ' ', 'NaN', 'Infinity', '-0', '1e300', '9'.repeat(400), 'x'.repeat(2_000)];
const ODD_TEXTS = [
  '\u0000',
  '\ud800',
  '__proto__',
  '2026-01-05T15:00:00Z',
  '+275760-09-13',
  '=1+1',
];
/** What stands where something else is looked for. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(...NUMBERS, ...TEXTS, ...ODD_TEXTS, null, true, [], {}),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.bigInt().map(String),
  fc.jsonValue({ maxDepth: 3 }),
);
const rarely = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 3, arbitrary: usual }, odd);

/** Every field that is kept of a delivery, of a captured lead or of analytics. */
function deliveryOf(calls: readonly string[], keys: readonly string[], phones: readonly string[]) {
  const analytics = {
    status: rarely(fc.constantFrom('completed', 'processing', 'x')),
    transcript: rarely(fc.constant('agent: Hello.\nuser: Yes.')),
    duration: rarely(fc.constant(42)),
    sentiment: rarely(fc.constantFrom<unknown>('positive', { label: 'x', score: 0.5 })),
    sentiment_score: rarely(fc.double({ min: -1, max: 1 })),
    summary: odd,
    recording_url: odd,
    cost: rarely(fc.constant('0.12')),
    currency: rarely(fc.constant('USD')),
    outcome: rarely(fc.constantFrom('voicemail', 'busy')),
  };
  const data = fc.record(
    {
      ...analytics,
      call_id: rarely(fc.constantFrom(...calls, 'call_of_others')),
      idempotency_key: rarely(fc.constantFrom(...keys)),
      phone_number: rarely(fc.constantFrom(...phones)),
      agent_id: rarely(fc.constantFrom('ag_1', 'ag_9')),
      lead: rarely(fc.dictionary(fc.string({ maxLength: 8 }), odd, { maxKeys: 4 })),
      analytics: rarely(fc.record(analytics, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  );
  const types = ['call.finished', 'call.analyzed', 'lead.captured', 'call.started', 'x'];
  return fc.record(
    {
      type: rarely(fc.constantFrom(...types)),
      id: odd,
      timestamp: rarely(fc.constantFrom(START, new Date(START).toISOString(), START * 1e6)),
      data: rarely(data),
    },
    { requiredKeys: ['data'] },
  );
}

it(
  `of ${DELIVERIES} deliveries with anything in any field none is left unlooked at, and what they left can be read`,
  { timeout: TIMEOUT_MS },
  async () => {
    const text = PROFILE_TEXT.replace('call.analyzed: ended', 'call.analyzed: analytics');
    const wire = createDeliveryProtocol(loadProfile(text, 'mine.yaml'), []) ?? protocol();
    const { scene, inbox, put, deliver } = await aDesk({
      leads: PEOPLE,
      settings: { concurrency: 100 },
      protocol: wire,
    });
    const { store, campaign, clock } = scene;
    const intents = [];
    for (let n = 0; n < PEOPLE; n++) intents.push(await claimOne(scene));
    const calls = intents.map((_, n) => `call_${n}`);
    for (const [n, { attemptId }] of intents.entries()) {
      // Every third is in doubt; two were answered with one id; the last is left for the end.
      const answer = n % 3 === 2 ? unknown : placed(n === 1 ? 'call_0' : `call_${n}`);
      await store.recordDial(attemptId, answer);
    }
    const own = intents.slice(0, -2);
    const some = fc.tuple(
      deliveryOf(
        calls.slice(0, -2),
        own.map(({ key }) => key),
        own.map(({ phone }) => phone),
      ),
      fc.boolean(),
    );

    for (const [n, [event, signed]] of fc
      .sample(some, { numRuns: DELIVERIES, seed: 14 })
      .entries()) {
      await put(event, { signed });
      if (n % TOGETHER < TOGETHER - 1 && n < DELIVERIES - 1) continue;
      await clock.advance(2_000);
      while ((await inbox.runOnce()) > 0);
      expect(
        (await store.countDeliveries()).find(({ state }) => state === 'received'),
      ).toBeUndefined();
    }

    const last = `call_${PEOPLE - 3}`;
    const at = { type: 'lead.captured', data: { call_id: last, lead: { last: true } } };
    expect(await deliver(at)).toMatchObject({ state: 'applied' });
    const kept = await store.listDeliveries({ state: null, service: null, limit: DELIVERIES + 1 });
    expect(kept).toHaveLength(DELIVERIES + 1);
    expect(new Set(kept.map(({ state }) => state)).size).toBeGreaterThanOrEqual(6);
    for (const { state, type, callId, reason } of kept) {
      expect(DELIVERY_STATES).toContain(state);
      expect(type?.length ?? 0).toBeLessThanOrEqual(200);
      expect(callId?.length ?? 0).toBeLessThanOrEqual(512);
      expect(reason ?? '').not.toContain('could not be');
    }
    for (const { analytics } of await scene.rows()) {
      if (analytics === null) continue;
      expect(analytics.durationMs ?? 0).toBeLessThanOrEqual(7 * 86_400_000);
      expect(Math.abs(analytics.sentiment?.score ?? 0)).toBeLessThanOrEqual(1e6);
      expect(analytics.sentiment?.label?.length ?? 0).toBeLessThanOrEqual(200);
      expect(analytics.costCurrency?.length ?? 0).toBeLessThanOrEqual(100);
    }
    for (const format of ['csv', 'jsonl'] as const) {
      const to = new Writable({
        write: (_chunk, _encoding, done) => {
          done();
        },
      });
      const { rows } = await writeCapturedLeads({ store, campaign, to, format });
      expect(rows).toBeGreaterThan(DELIVERIES / 1_000);
    }
  },
);
