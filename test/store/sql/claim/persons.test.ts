import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeadResult } from '../../../../src/domain/lead.ts';
import type { E164 } from '../../../../src/domain/phone.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/domain/time-units.ts';
import { rowPersons } from '../../../../src/leads/rows/row-person.ts';
import type { NewLead, Store } from '../../../../src/store/port.ts';
import { aPolicy, LONDON } from '../../../conformance/store/calling/policies.ts';
import { someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  aList,
  aRunningCampaign,
  placed,
  settled,
} from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone, someSettings } from '../../../helpers/factory.ts';
import { aDatabasePath, aStore } from '../../sqlite/database.ts';
import { examples } from '../../../helpers/properties.ts';

const personOf = rowPersons({ fields: { externalId: 0, name: 1, email: 2 } });
const HEADERS = ['id', 'name', 'email'];

/** A lead of a row with id, name and e-mail, at numbers of which the first is dialled first. */
function aRow(line: number, cells: string[], [phone, ...others]: [E164, ...E164[]]): NewLead {
  const person = personOf(cells);
  const alternatives = others.map((other) => ({ phone: other, zoneKey: LONDON }));
  const lead = { phone, line, cells, zoneKey: LONDON, alternatives };
  return person === undefined ? lead : { ...lead, person };
}

interface Call {
  name: string;
  phone: E164;
  at: number;
  result: LeadResult;
}

/** Calls whoever may be called in these campaigns at this moment; every call is over after a minute. */
async function callAll(store: Store, ids: string[], now: number, resultOf: () => LeadResult) {
  const calls: Call[] = [];
  for (const campaignId of ids) {
    const at = now + calls.length * 2 * MINUTE_MS;
    const asked = { campaignId, want: 1, now: at, withVariables: true };
    for (let n = 0; n < 50; n += 1) {
      const when = at + n * 2 * MINUTE_MS;
      const [intent] = (await store.claim(aClaim({ ...asked, now: when }))).intents;
      if (intent === undefined) break;
      const result = resultOf();
      const callId = `call_${intent.attemptId}`;
      await store.recordDial(intent.attemptId, placed(callId, when));
      const ended = {
        at: when + MINUTE_MS,
        endedAt: when + MINUTE_MS,
        result,
        source: 'service',
      } as const;
      await store.recordPoll(intent.attemptId, settled(callId, ended));
      const name = intent.variables?.['name'] ?? '';
      calls.push({ name, phone: intent.phone, at: when, result });
    }
  }
  return calls;
}

async function aCampaignOf(
  store: Store,
  id: string,
  leads: NewLead[],
  limits: object,
): Promise<void> {
  const retry = someRetry({ attempts: 20, after: { no_answer: HOUR_MS, busy: HOUR_MS } });
  const settings = someSettings({ concurrency: 100, policy: aPolicy(limits), retry });
  await aRunningCampaign(store, { id, settings, leads: [] });
  const list = await store.beginList(id, aList({ id: `${id}-rows`, sha256: id, headers: HEADERS }));
  await store.addLeads(list.id, leads);
  await store.finishList(list.id, { good: leads.length, rejected: 0, duplicates: 0 });
}

describe('a person with two numbers', () => {
  const WEEK = { caps: [{ calls: 7, perMs: 7 * DAY_MS }] };
  const [A, B] = [aPhone(0), aPhone(1)];

  it('is called seven times in seven days at most, at both together', async () => {
    const store = aStore(aDatabasePath());
    const ids = ['cmp_a', 'cmp_b'];
    await aCampaignOf(store, 'cmp_a', [aRow(2, ['7', 'Ann Mill', ''], [A, B])], WEEK);
    await aCampaignOf(store, 'cmp_b', [aRow(2, ['7', 'Ann Mill', ''], [B, A])], WEEK);
    const calls: Call[] = [];
    for (let hours = 0; hours < 7 * 24; hours += 4)
      calls.push(...(await callAll(store, ids, START + hours * HOUR_MS, () => 'no_answer')));
    expect(calls).toHaveLength(7);
    expect(new Set(calls.map(({ phone }) => phone))).toEqual(new Set([A, B]));
  });

  it.each([7 * DAY_MS, 60 * DAY_MS])(
    'is not called at the other one in the %i ms after a conversation',
    async (afterConversationMs) => {
      const store = aStore(aDatabasePath());
      await aCampaignOf(store, 'cmp_a', [aRow(2, ['7', 'Ann', ''], [A])], { afterConversationMs });
      await aCampaignOf(store, 'cmp_b', [aRow(2, ['7', 'Ann', ''], [B])], { afterConversationMs });
      const answered = () => 'answered' as const;
      expect(await callAll(store, ['cmp_a', 'cmp_b'], START, answered)).toHaveLength(1);
      const end = START + MINUTE_MS + afterConversationMs;
      expect(await callAll(store, ['cmp_b'], end - 1, answered)).toHaveLength(0);
      expect(await callAll(store, ['cmp_b'], end, answered)).toHaveLength(1);
    },
  );
});

it('a stranger is not held by calls to a phone that both have', async () => {
  const store = aStore(aDatabasePath());
  const family = aPhone(9);
  const limits = { caps: [{ calls: 2, perMs: 7 * DAY_MS }] };
  await aCampaignOf(store, 'cmp_a', [aRow(2, ['7', 'Ann', ''], [aPhone(0), family])], limits);
  await aCampaignOf(store, 'cmp_b', [aRow(2, ['8', 'Ben', ''], [aPhone(1), family])], limits);
  const ofAnn: LeadResult[] = ['invalid_number', 'no_answer'];
  await callAll(store, ['cmp_a'], START, () => ofAnn.shift() ?? 'no_answer');
  for (const hours of [8, 16]) {
    const calls = await callAll(store, ['cmp_b'], START + hours * HOUR_MS, () => 'no_answer');
    expect(calls).toMatchObject([{ phone: aPhone(1) }]);
  }
});

/** How the lists name somebody; by the first three it is known in each of them that it is the same person. */
const KINDS = [
  'unique id',
  'short id',
  'own mail',
  'family mail',
  'company id',
  'nothing',
  'other ids',
] as const;
type Kind = (typeof KINDS)[number];

const aHuman = fc.record({
  kind: fc.constantFrom(...KINDS),
  numbers: fc.integer({ min: 1, max: 2 }),
  /** The family shares a phone, as the last number of each of them. */
  shares: fc.boolean(),
  says: fc.boolean(),
});

it('nobody is called above a cap or against their word, and no stranger is held by another', async () => {
  const property = fc.asyncProperty(
    fc.array(aHuman, { minLength: 2, maxLength: 7 }),
    fc.array(fc.constantFrom<LeadResult>('no_answer', 'busy', 'invalid_number', 'answered'), {
      minLength: 5,
      maxLength: 5,
    }),
    async (humans, results) => {
      const store = aStore(aDatabasePath());
      const shared = aPhone(90);
      const people = humans.map(({ kind, numbers, shares, says }, n) => ({
        kind,
        name: `First${n}x Mill`,
        own: Array.from({ length: numbers }, (_, i) => aPhone(n * 3 + i)),
        shared: shares ? [shared] : [],
        says: says && n % 3 === 0,
      }));
      const cells = (kind: Kind, n: number, campaign: number): string[] => {
        const name = people[n]?.name ?? '';
        const by: Record<Kind, [id: string, mail: string]> = {
          'unique id': [`0034x0000${n}AAC`, 'mill@family.example'],
          'short id': [`${n + 1}`, ''],
          'own mail': ['n/a', `first${n}@mill.example`],
          'family mail': ['', 'mill@family.example'],
          'company id': ['ACME', ''],
          nothing: ['0', 'info@mill.example'],
          'other ids': [`${100 + n + campaign}`, ''],
        };
        const [id, mail] = by[kind];
        return [id, name, mail];
      };
      const ids = ['cmp_a', 'cmp_b'];
      const limits = { caps: [{ calls: 2, perMs: 3 * DAY_MS }], afterConversationMs: 2 * DAY_MS };
      for (const [campaign, id] of ids.entries()) {
        const rows = people.flatMap(({ kind, own, shared: family }, n) =>
          own.map((first, i) => {
            const others = [...own.slice(i + 1), ...family];
            return aRow(n * 10 + i + 2, cells(kind, n, campaign), [first, ...others]);
          }),
        );
        await aCampaignOf(store, id, rows, limits);
      }
      for (const { says, own } of people) {
        const [phone] = own;
        if (!says || phone === undefined) continue;
        const word = { at: START, note: null, who: 'op', expiresAt: null };
        await store.suppress([{ phone, source: 'list', ...word }]);
      }
      let next = 0;
      const resultOf = () => results[(next += 1) % results.length] ?? 'no_answer';
      const calls: Call[] = [];
      for (let step = 0; step < 10; step += 1)
        calls.push(...(await callAll(store, ids, START + step * 8 * HOUR_MS, resultOf)));

      for (const { name, kind, says } of people) {
        const theirs = calls.filter((call) => call.name === name);
        const isKnown = KINDS.indexOf(kind) < 3;
        if (says && isKnown) expect(theirs).toEqual([]);
        if (!says) expect(theirs.length, `${name} (${kind})`).toBeGreaterThan(0);
        if (!isKnown) continue;
        for (const { at, result } of theirs) {
          const after = theirs.filter((call) => call.at >= at && call.at < at + 3 * DAY_MS);
          expect(after.length, `${name} (${kind})`).toBeLessThanOrEqual(2);
          const silent = theirs.filter((call) => call.at > at && call.at < at + 2 * DAY_MS);
          if (result === 'answered') expect(silent, name).toEqual([]);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: examples(12) });
});
