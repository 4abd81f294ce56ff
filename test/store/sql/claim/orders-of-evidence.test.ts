import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/domain/time-units.ts';
import type { LeadResult } from '../../../../src/domain/lead.ts';
import type { Intent, Store } from '../../../../src/store/port.ts';
import { notPlaced, unconfirmed } from '../../../conformance/store/dialling/resolve.ts';
import { aCall, someRetry } from '../../../conformance/store/retries.ts';
import {
  aClaim,
  aSweep,
  CAMPAIGN,
  dialled,
  ENTRY,
  placed,
  rowOf,
  settled,
  unknown,
} from '../../../conformance/store/setup.ts';
import { journalPath } from '../../../../src/store/journal/journal.ts';
import { START } from '../../../helpers/clock.ts';
import { aPhone } from '../../../helpers/factory.ts';
import { shareOf } from '../../../helpers/properties.ts';
import { aDatabasePath, aRunningDatabase, aStore } from '../../sqlite/database.ts';

/** What becomes known of a call in doubt, and what is done about it or its person. */
const EVENTS = ['swept', 'not placed', 'unconfirmed', 'found', 'withdrawn', 'suppressed'] as const;
type Event = (typeof EVENTS)[number];

const DOUBTED = START + 2 * DAY_MS;
const LATER = DOUBTED + DAY_MS;

/** A person with a voicemail, or nothing, before a call whose answer was lost. Each is made once and copied. */
async function aDoubtAfter(before: LeadResult | null): Promise<{ store: Store; doubt: Intent }> {
  const known = made.get(before) ?? (await aDatabaseAfter(before));
  made.set(before, known);
  const path = aDatabasePath();
  for (const [end, bytes] of known.files) writeFileSync(path + end, bytes);
  return { store: aStore(path), doubt: known.doubt };
}

const made = new Map<LeadResult | null, { files: [string, Buffer][]; doubt: Intent }>();

async function aDatabaseAfter(before: LeadResult | null) {
  const { path, store } = await aRunningDatabase({
    leads: 1,
    settings: { retry: someRetry({ attempts: 5 }) },
  });
  if (before !== null) await aCall(store, before);
  const doubt = await dialled(store, unknown(DOUBTED), { now: DOUBTED });
  await store.close();
  const files = ['', journalPath('')].map((end): [string, Buffer] => [
    end,
    readFileSync(path + end),
  ]);
  return { files, doubt };
}

/** @returns whether it was accepted */
async function happens(event: Event, store: Store, { attemptId }: Intent, result: LeadResult) {
  switch (event) {
    case 'swept':
      return (await store.sweep(aSweep({ now: LATER }))).unconfirmed === 1;
    case 'not placed':
      return (await store.resolve(attemptId, notPlaced(LATER))).kind === 'resolved';
    case 'unconfirmed':
      return (await store.resolve(attemptId, unconfirmed(LATER))).kind === 'resolved';
    case 'found':
      await store.recordDial(attemptId, placed('late', LATER));
      return (
        (await store.recordPoll(attemptId, settled('late', { result, source: 'service' }))) ===
        'moved'
      );
    case 'withdrawn':
      return (await store.cancelLead(CAMPAIGN, aPhone(0), ENTRY)) !== 'done';
    case 'suppressed':
      return (await store.suppress([BY_MAIL])).leads === 1;
  }
}

const BY_MAIL = {
  phone: aPhone(0),
  at: LATER,
  source: 'operator',
  note: null,
  who: 'x',
  expiresAt: null,
} as const;

/** Every order of up to `most` of these events; two of them may be the same where no third one is. */
function orders(events: readonly Event[], most: number): Event[][] {
  if (most === 0) return [[]];
  const shorter = orders(events, most - 1);
  const longer = shorter.filter((each) => each.length === most - 1);
  const all = longer.flatMap((each) => events.map((event) => [...each, event]));
  return [...shorter, ...all.filter((each) => most < 3 || new Set(each).size === most)];
}

async function after(order: readonly Event[], before: LeadResult | null, result: LeadResult) {
  const { store, doubt } = await aDoubtAfter(before);
  const accepted: Event[] = [];
  let kept: { result: LeadResult | null; reason: string | null } | undefined;
  for (const event of order) {
    if (await happens(event, store, doubt, result)) accepted.push(event);
    const row = await rowOf(store, doubt);
    if (kept !== undefined) expect(row, order.join()).toMatchObject(kept);
    if (row.result === 'cancelled' || row.result === 'suppressed')
      kept = { result: row.result, reason: row.reason };
  }
  const row = await rowOf(store, doubt);
  const asked = await store.claim(aClaim({ now: LATER + 9 * DAY_MS }));
  await store.close();
  return { accepted, state: row.state, result: row.result, calls: asked.intents.length };
}

describe.each([null, 'voicemail'] as const)('a doubt after %s', (before) => {
  it.each(['no_answer', 'answered'] as const)(
    'comes to the same in every order of what is known of it, found as %s or not at all',
    async (result) => {
      const known = EVENTS.slice(0, 4);
      const alone = new Map<Event | undefined, object>();
      for (const event of [undefined, ...known]) {
        const { state, result: came, calls } = await after(event ? [event] : [], before, result);
        alone.set(event, { state, result: came, calls });
      }
      for (const order of orders(known, 3)) {
        const { accepted, ...end } = await after(order, before, result);
        const last = accepted.includes('found') ? 'found' : accepted.at(-1);
        expect({ order, ...end }).toEqual({ order, ...alone.get(last) });
      }
    },
    60_000,
  );

  it('never has a person called again who was withdrawn or suppressed at any moment', async () => {
    for (const order of shareOf(orders(EVENTS, 3), 2)) {
      if (!order.includes('withdrawn') && !order.includes('suppressed')) continue;
      if (new Set(order).size < order.length) continue;
      const { calls } = await after(order, before, 'no_answer');
      expect({ order, calls }).toEqual({ order, calls: 0 });
    }
  }, 60_000);
});
