import { seededRandom, type Random } from '../../runtime/random.ts';
import type { AgentRecord } from '../account.ts';
import type { SimulatorOptions, Wishes } from '../options.ts';
import type { CallRecord } from './timeline.ts';

/** An answering machine has the role `person`, as a service only transcribes and cannot tell them apart. */
interface SpokenTurn {
  role: 'agent' | 'person';
  text: string;
}

/**
 * What was said: one of `TRANSCRIPTS`, chosen by the call's random number each time, so that transcripts take no
 * memory. `sentiment` is null if nobody answered.
 */
export function converse(
  call: Pick<CallRecord, 'outcome' | 'durationS' | 'draw'>,
  agent: Pick<AgentRecord, 'name'>,
  { optOuts = SHARE_OPTING_OUT }: Pick<Wishes, 'optOuts'> = {},
): { turns: SpokenTurn[]; sentiment: SentimentResult | null; optsOut: boolean } {
  const random = seededRandom(String(call.draw));
  if (call.outcome === 'voicemail') {
    const turns = spoken(chosen(VOICEMAILS, random), ['person', 'agent'], agent);
    return { turns, sentiment: { label: 'neutral', score: 0 }, optsOut: false };
  }
  if (call.outcome !== 'answered') return { turns: [], sentiment: null, optsOut: false };
  const attitude = attitudeFor(call.durationS, random, optOuts);
  return {
    turns: spoken(chosen(TRANSCRIPTS[attitude], random), ['agent', 'person'], agent),
    sentiment: SENTIMENTS[attitude],
    optsOut: attitude === 'optOut',
  };
}

/** The analytics of a completed call as the service sends them, in the answer to a GET and in call.finished. */
export function analyticsOf(call: CallRecord, agent: AgentRecord, options: TellingOptions) {
  const { turns, sentiment, optsOut } = converse(call, agent, options);
  const { unanswered, price = null } = options;
  const isSaid = unanswered === 'status' && call.outcome !== 'answered';
  const callbackAt = optsOut ? null : callbackOf(call, options);
  return {
    call_id: call.id,
    agent_id: call.agentId,
    phone_number: call.phone,
    status: isSaid ? call.outcome : 'completed',
    started_at: new Date(call.placedAt).toISOString(),
    ended_at: new Date(call.endedAt).toISOString(),
    duration_seconds: call.durationS,
    sentiment,
    ...(price !== null && { cost: String(Number(price(call.durationS * 1_000).toFixed(6))) }),
    transcript: transcriptOf(turns),
    turns,
    ...(unanswered === 'outcome' && { outcome: optsOut ? 'opted_out' : call.outcome }),
    ...(callbackAt !== null && { callback_at: new Date(callbackAt).toISOString() }),
  };
}

export type TellingOptions = Wishes & Pick<SimulatorOptions, 'unanswered' | 'timeScale' | 'price'>;

/** People want to be called again 1 to 24 simulated hours later. */
const CALLBACK_H = { soonest: 1, latest: 24 };

/** When the person asked to be called again, epoch ms; null: they did not. */
function callbackOf(
  { outcome, endedAt, draw }: CallRecord,
  { callbacks = 0, timeScale }: TellingOptions,
): number | null {
  if (outcome !== 'answered') return null;
  const random = seededRandom(`callback/${draw}`);
  if (random() >= callbacks) return null;
  const { soonest, latest } = CALLBACK_H;
  const hours = soonest + random() * (latest - soonest);
  return endedAt + Math.round((hours * 3_600_000) / timeScale);
}

export function transcriptOf(turns: readonly SpokenTurn[]): string {
  return turns.map((turn) => `${turn.role}: ${turn.text}`).join('\n');
}

/** About one person in seventy asks not to be called again. */
const SHARE_OPTING_OUT = 0.015;

/** Draws a person's attitude: people who are not interested hang up early. */
function attitudeFor(durationS: number, random: Random, optOuts: number): Attitude {
  if (random() < optOuts) return 'optOut';
  const draw = random();
  if (durationS < 20) {
    if (draw < (durationS < 8 ? 0.5 : 0.45)) return 'busy';
    return durationS < 8 || draw < 0.8 ? 'annoyed' : 'polite';
  }
  if (durationS >= 90) return draw < 0.3 ? 'polite' : 'interested';
  if (draw < 0.1) return 'annoyed';
  return draw < 0.55 ? 'polite' : 'interested';
}

function spoken(
  said: readonly string[],
  roles: readonly [SpokenTurn['role'], SpokenTurn['role']],
  { name }: Pick<AgentRecord, 'name'>,
): SpokenTurn[] {
  return said.map((text, turn) => ({
    role: roles[turn % 2 === 0 ? 0 : 1],
    text: text.replace('{agent}', () => name.replace(/\s+/gu, ' ')),
  }));
}

function chosen<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}

type Attitude = 'interested' | 'polite' | 'busy' | 'annoyed' | 'optOut';

interface SentimentResult {
  label: 'positive' | 'neutral' | 'negative';
  /** -1 (very negative) to 1 (very positive). */
  score: number;
}

const SENTIMENTS: Readonly<Record<Attitude, SentimentResult>> = {
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
const TRANSCRIPTS: Readonly<Record<Attitude, readonly (readonly string[])[]>> = {
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

const VOICEMAILS: readonly (readonly [machine: string, agent: string])[] = [
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
