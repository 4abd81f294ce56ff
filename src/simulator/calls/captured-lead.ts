import { seededRandom } from '../../runtime/random.ts';
import type { CallRecord } from './timeline.ts';
import type { SentimentResult } from './transcripts.ts';

/** This share of the people with a positive sentiment gives their details. */
const SHARE_CAPTURED = 0.7;
const DAY_MS = 86_400_000;

/**
 * The details that an interested person gave the agent; like the conversation, drawn from the call's random number.
 *
 * @returns `at`: epoch ms, while the call is in progress; `fields`: the details given, whose names and types differ
 *   from person to person. null: nothing was captured
 */
export function capturedLead(
  call: Pick<CallRecord, 'phone' | 'answeredAt' | 'endedAt' | 'draw'>,
  sentiment: SentimentResult | null,
) {
  if (call.answeredAt === null || sentiment?.label !== 'positive') return null;
  const random = seededRandom(`captured/${call.draw}`);
  if (random() >= SHARE_CAPTURED) return null;
  const share = 0.6 + random() * 0.35;
  const at = Math.round(call.answeredAt + (call.endedAt - call.answeredAt) * share);
  const { callsBack, ...lead } = LEADS[Math.floor(random() * LEADS.length)] as (typeof LEADS)[0];
  const callback = new Date((Math.floor(call.endedAt / DAY_MS) + 1.6) * DAY_MS).toISOString();
  const wish = callsBack === true && { callback_time: callback, callback_number: call.phone };
  const fields: Record<string, unknown> = { ...lead, ...wish, score: 80 };
  return { at, fields };
}

const LEADS: { callsBack?: true; [field: string]: unknown }[] = [
  { name: 'Ada Silva', interest: 'an offer in writing', email: 'ada.silva@example.com' },
  {
    name: "Chloé D'Souza",
    interest: 'to renew',
    notes: 'Prefers mornings, "not before 10".',
    callsBack: true,
  },
  { name: 'Goran Ōta', interest: 'to compare prices', notes: '=asked for the price list' },
  {
    name: 'Hana Iyer',
    interest: 'a demonstration',
    email: 'hana.iyer@example.com',
    notes: 'Decides together with a partner;\nwants both on the next call.',
    preferences: { channel: 'email', newsletter: true },
    callsBack: true,
  },
];
