import { seededRandom } from '../../runtime/random.ts';
import type { Random } from '../../runtime/random.ts';
import type { SentimentResult } from './conversation.ts';
import type { CallRecord } from './timeline.ts';

/** This share of the people with a positive sentiment gives their details. */
const SHARE_CAPTURED = 0.7;
const SHORTEST_CALL_S = 20;

/**
 * The details that an interested person gave the agent; like the conversation, drawn from the call's random number.
 *
 * @returns `at`: epoch ms, while the call is in progress; `fields`: the details given, whose names and types differ
 *   from person to person. null: nothing was captured
 */
export function capturedLead(
  call: Pick<CallRecord, 'phone' | 'answeredAt' | 'endedAt' | 'durationS' | 'draw'>,
  sentiment: SentimentResult | null,
) {
  if (call.answeredAt === null || call.durationS < SHORTEST_CALL_S) return null;
  if (sentiment?.label !== 'positive') return null;
  const random = seededRandom(`captured/${call.draw}`);
  if (random() >= SHARE_CAPTURED) return null;
  const share = 0.6 + random() * 0.35;
  const at = Math.round(call.answeredAt + (call.endedAt - call.answeredAt) * share);
  return { at, fields: fieldsOf(call, random) };
}

const DAY_MS = 86_400_000;

const LEADS = [
  { name: 'Ada Silva', interest: 'an offer in writing', email: 'ada.silva@example.com' },
  { name: "Chloé D'Souza", interest: 'to renew', notes: 'Prefers mornings, "not before 10".' },
  { name: 'Goran Ōta', interest: 'to compare prices', notes: '=asked for the price list' },
  {
    name: 'Hana Iyer',
    interest: 'a demonstration',
    email: 'hana.iyer@example.com',
    notes: 'Decides together with a partner;\nwants both on the next call.',
    preferences: { channel: 'email', newsletter: true },
  },
];

function fieldsOf(
  { phone, endedAt }: Pick<CallRecord, 'phone' | 'endedAt'>,
  random: Random,
): Record<string, unknown> {
  const lead = LEADS[Math.floor(random() * LEADS.length)];
  const callback =
    Math.floor(endedAt / DAY_MS) * DAY_MS + (1.6 + Math.floor(random() * 7)) * DAY_MS;
  return {
    ...lead,
    ...(random() < 0.7 && { callback_time: new Date(callback).toISOString() }),
    ...(random() < 0.5 && { callback_number: phone }),
    score: 60 + Math.floor(random() * 41),
  };
}
