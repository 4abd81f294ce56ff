import { seededRandom } from '../../runtime/random.ts';
import type { CallRecord } from './timeline.ts';

/** How a person takes the call. */
export type Attitude = 'interested' | 'polite' | 'busy' | 'annoyed' | 'optOut';

export interface SentimentResult {
  label: 'positive' | 'neutral' | 'negative';
  /** -1 (very negative) to 1 (very positive). */
  score: number;
}

export const SENTIMENTS: Readonly<Record<Attitude, SentimentResult>> = {
  interested: { label: 'positive', score: 0.7 },
  polite: { label: 'neutral', score: 0.1 },
  busy: { label: 'neutral', score: -0.1 },
  annoyed: { label: 'negative', score: -0.6 },
  optOut: { label: 'negative', score: -0.9 },
};

const HELLO = 'Hello, this is {agent}, an automated assistant. Do you have a moment?';
const GOODBYE = 'Understood. Thank you for your time, goodbye.';
const GOODBYE_FOR_EVER = 'Understood, we will not call you again. Goodbye.';

/** The agent's words first, then the person's, in turn. `{agent}` is its name. */
export const TRANSCRIPTS: Readonly<Record<Attitude, readonly (readonly string[])[]>> = {
  interested: [
    [
      HELLO,
      'Yes, sure, go ahead.',
      'Shall I go through it with you briefly?',
      'Yes please. Any day this week is fine with me.',
      'I have noted that. Thank you and have a nice day.',
    ],
    [
      HELLO,
      'Oh hello, good that you call.',
      'Did our message reach you?',
      'Yes, thank you, that was helpful.',
      'What shall I pass on?',
      'Great, please put me down for it.',
      'Lovely, you will hear from us. Goodbye.',
    ],
    [
      HELLO,
      'Hi, yes, I have a minute.',
      'Would it help if a colleague wrote to you?',
      'That would be wonderful, thank you.',
      'I will pass that on. Goodbye.',
    ],
  ],
  polite: [
    [
      HELLO,
      'Okay, what is it about?',
      'Your appointment. How do things stand?',
      'I will think about it.',
      GOODBYE,
    ],
    [
      HELLO,
      'Speaking.',
      'What may I note down?',
      'Send me the details and I will have a look.',
      GOODBYE,
    ],
  ],
  busy: [
    [
      HELLO,
      'I am in the middle of something. Please call me back tomorrow.',
      'Of course. Goodbye.',
    ],
    [HELLO, 'I am driving right now, try again later.', 'No problem, another time then.'],
  ],
  annoyed: [
    [HELLO, 'What is it now? I am not interested, goodbye.', 'I am sorry to hear that. Goodbye.'],
  ],
  optOut: [
    [HELLO, 'Take me off your list and do not call me again.', GOODBYE_FOR_EVER],
    [HELLO, 'Stop calling me. Remove my number, please.', GOODBYE_FOR_EVER],
  ],
};

/** A machine's greeting and the agent's message. */
export const VOICEMAILS: readonly (readonly [machine: string, agent: string])[] = [
  [
    'You have reached my voicemail. Please leave a message after the tone.',
    'Hello, this is {agent}. I will try again another time. Goodbye.',
  ],
  [
    'Hi, I cannot come to the phone right now. Leave your name and number.',
    'Hi, {agent} here. Please call us back when it suits you.',
  ],
];

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
