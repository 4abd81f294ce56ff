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

const FIRST_NAMES = ['Ada', 'Bilal', 'Chloé', 'Deniz', 'Elif', 'Farah', 'Goran', 'Hana', 'José'];
const LAST_NAMES = ['Abara', 'Berg', "D'Souza", 'Fischer', 'Iyer', 'Kowalski', 'Ōta', 'Silva'];
const INTERESTS = ['an offer in writing', 'a demonstration', 'to renew', 'to compare prices'];
const NOTES = [
  'Prefers mornings, "not before 10".',
  'Decides together with a partner;\nwants both on the next call.',
  '=asked for the price list',
];
const CHANNELS = ['email', 'phone', 'sms'];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

function fieldsOf(
  { phone, endedAt }: Pick<CallRecord, 'phone' | 'endedAt'>,
  random: Random,
): Record<string, unknown> {
  const choose = (items: readonly string[]) => items[Math.floor(random() * items.length)] ?? '';
  const [first, last] = [choose(FIRST_NAMES), choose(LAST_NAMES)];
  const fields: Record<string, unknown> = { name: `${first} ${last}`, interest: choose(INTERESTS) };
  if (random() < 0.8) fields['email'] = `${plain(first)}.${plain(last)}@example.com`;
  if (random() < 0.7) {
    const day = Math.floor(endedAt / DAY_MS) * DAY_MS + (1 + Math.floor(random() * 7)) * DAY_MS;
    const hour = 14 + Math.floor(random() * 8);
    fields['callback_time'] = new Date(day + hour * HOUR_MS).toISOString();
  }
  if (random() < 0.5) fields['callback_number'] = phone;
  fields['score'] = 60 + Math.floor(random() * 41);
  if (random() < 0.4) fields['notes'] = choose(NOTES);
  if (random() < 0.3) {
    fields['preferences'] = { channel: choose(CHANNELS), newsletter: random() < 0.5 };
  }
  return fields;
}

/** The name as part of an e-mail address. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
