import { expect, it } from 'vitest';
import type { CallEvidence } from '../../../src/domain/calling/caps.ts';
import type { CallingLimits } from '../../../src/domain/calling/policy.ts';
import { aPhone } from '../../helpers/factory.ts';
import type { ExportedLead } from '../invariants.ts';
import { planOf } from '../seed-plan.ts';
import type { Call } from '../world/ledger.ts';
import { againstPlace, everyAttemptSaysWhy, type Allowed } from './allowed.ts';
import { callingOf, type CallingPlan } from './calling-plan.ts';
import { againstEarlier, type Sent } from './earlier.ts';
import { WhoIsWho } from './persons.ts';
import { strangersHeld } from './strangers.ts';

/* The judge of the nights finds what it is there for. */

const HOUR = 3_600_000;
const AT = Date.parse('2026-11-27T20:30:00Z');
/** Ann has two rows, and shares a phone with Bob, who has her id. */
const [ANN, ANN_TOO, BOB, SHARED] = [aPhone(0), aPhone(1), aPhone(2), aPhone(50)] as const;
const PHONES = [ANN, ANN_TOO, BOB];

function aNight(): CallingPlan {
  const [seed = ''] = Array.from({ length: 99 }, (_, n) => String(n)).filter((n) =>
    callingOf(n, 3),
  );
  const plan = callingOf(seed, 3);
  if (plan === null) throw new Error('no night with hours among the first seeds');
  const family = [{ phone: SHARED, zoneKey: 'Europe/London;GB' }];
  const zoneKey = 'Europe/London;GB';
  const people = [
    { zoneKey, alternatives: family, named: { human: 0, id: 'C-1', name: 'Ann Mill' } },
    { zoneKey, alternatives: [], named: { human: 0, id: 'C-1', name: 'Mill, Ann' } },
    { zoneKey, alternatives: family, named: { human: 1, id: 'C-1', name: 'Bob Stone' } },
  ];
  return { ...plan, people };
}
const who = new WhoIsWho(aNight(), PHONES);

function against(phone: string, person: string, limits: Partial<CallingLimits>, ofEarlier: object) {
  const none = { hours: null, caps: [], afterConversationMs: null, afterRefusalMs: null };
  const was = { person: ANN, walls: [[AT - HOUR, AT - HOUR]] } as unknown as Sent;
  const other = { phone: ANN, callId: 'call_1', endedAt: AT - HOUR, outcome: 'busy', ...ofEarlier };
  return againstEarlier(
    { phone } as Call,
    { person, known: new Set(['call_1']) },
    {
      limits: [{ ...none, ...limits }],
      earlier: [{ other: other as Call, was }],
      latest: AT,
      isOne: who.isOne.bind(who),
      isDenied: () => false,
    },
  );
}

it('a call above a cap or inside a silence is found at another number of the person', () => {
  const cap = { caps: [{ calls: 1, perMs: 24 * HOUR }] };
  expect(against(SHARED, ANN, cap, {})).toEqual(['above 1 calls in 24 h']);
  const silence = { afterConversationMs: 2 * HOUR };
  expect(against(SHARED, ANN, silence, { outcome: 'answered' })).toEqual([
    'too soon after call_1 was answered',
  ]);
  const refusal = { afterRefusalMs: 2 * HOUR };
  expect(against(SHARED, ANN, refusal, { outcome: 'declined' })).toHaveLength(1);
  for (const limits of [cap, silence, refusal])
    expect(against(BOB, BOB, limits, { outcome: 'answered' })).toEqual([]);
});

it('a person called through two rows is found', () => {
  expect(against(ANN_TOO, ANN_TOO, {}, {})).toEqual([`was called as ${ANN} (call_1), too`]);
  expect(against(ANN_TOO, ANN_TOO, {}, { outcome: 'invalid_number' })).toEqual([]);
  expect(against(BOB, BOB, {}, {})).toEqual([]);
});

it('a stranger whom the calls or words of another held is found', () => {
  const row = (phone: string, result: string): ExportedLead => ({
    call_phone: phone,
    call_state: 'done',
    call_result: result,
    call_id: null,
    call_summary: null,
    call_dialled_phone: null,
  });
  const held = (result: string, silent: string[], dialled: string[] = [ANN, SHARED]) =>
    strangersHeld({
      plan: { operator: [], restore: null },
      who,
      rows: [row(ANN, 'answered'), row(ANN_TOO, 'cancelled'), row(BOB, result)],
      allowed: dialled.map((phone) => ({ key: phone, phone, intentAt: AT, facts: null })),
      silent: new Set(silent),
    });
  expect(held('cancelled', [])).toHaveLength(1);
  expect(held('suppressed', [ANN, ANN_TOO, SHARED])).toHaveLength(1);
  expect(held('suppressed', [BOB])).toEqual([]);
  expect(held('expired', [], [BOB])).toEqual([]);
  expect(held('answered', [])).toEqual([]);
});

const FACTS: CallEvidence = {
  clocks: { 'Europe/London': '2026-11-27T20:30+00:00' },
  regions: ['GB'],
  rules: {},
  caps: [{ by: 'us-debt', made: 6, calls: 7, perMs: 168 * HOUR }],
  list: 'leads.csv',
  line: 2,
  consent: {},
  registries: {},
  approved: { who: 'operator', at: '2026-11-27T20:00Z' },
};

function anAttempt(facts: Partial<CallEvidence> | null): Allowed {
  return { key: 'key_1', phone: ANN, intentAt: AT, facts: facts && { ...FACTS, ...facts } };
}

it('an attempt that does not say why, above a cap or started by nobody is found', () => {
  const found = (facts: Partial<CallEvidence> | null) =>
    everyAttemptSaysWhy({
      plan: { restore: null, calling: aNight() },
      allowed: [anAttempt(facts)],
    });
  expect(found({})).toEqual([]);
  expect(found(null)).toHaveLength(1);
  expect(found({ approved: null })).toHaveLength(1);
  expect(found({ caps: [{ by: 'us-debt', made: 7, calls: 7, perMs: HOUR }] })).toHaveLength(1);
});

it('clocks of another place or another time are found', () => {
  const place = {
    zoneKeys: ['Europe/London;GB'],
    everyPlace: 'Europe/London|Asia/Kolkata;GB,IN',
    settings: [{ policy: undefined, retry: undefined }],
  };
  const found = (clocks: Record<string, string>) => againstPlace(anAttempt({ clocks }), place);
  const right = FACTS.clocks;
  expect(found(right)).toEqual([]);
  expect(found({ ...right, 'Asia/Kolkata': '2026-11-28T02:00+05:30' })).toEqual([]);
  expect(found({})).toHaveLength(1);
  expect(found({ 'Europe/London': '2026-11-27T21:30+01:00' })).toHaveLength(1);
  expect(found({ ...right, 'America/New_York': '2026-11-27T15:30-05:00' })).toHaveLength(1);
});

it('many nights have persons, strangers and rows that come later', () => {
  const nights = Array.from({ length: 300 }, (_, n) => planOf(String(n)).calling).filter(Boolean);
  const rows = nights.map((night) => night?.people.flatMap(({ named }) => named ?? []) ?? []);
  const persons = rows.filter((each) => each.filter(({ human }) => human === 0).length > 1);
  const strangers = rows.filter((each) => each.some(({ human }) => human > 0));
  expect(persons.length).toBeGreaterThan(20);
  expect(strangers.length).toBeGreaterThan(20);
  expect(nights.filter((night) => (night?.newcomers.length ?? 0) > 0).length).toBeGreaterThan(15);
});
