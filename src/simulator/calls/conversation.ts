import { seededRandom, type Random } from '../../runtime/random.ts';
import type { AgentRecord } from '../account.ts';
import type { SimulatorOptions, Wishes } from '../options.ts';
import type { CallRecord } from './timeline.ts';
import {
  SENTIMENTS,
  TRANSCRIPTS,
  VOICEMAILS,
  type Attitude,
  type SentimentResult,
} from './transcripts.ts';

/**
 * One turn. An answering machine has the role `person`, because a service only transcribes and cannot tell them apart.
 */
export interface SpokenTurn {
  role: 'agent' | 'person';
  text: string;
}

/**
 * What was said: one of `TRANSCRIPTS`, chosen by the call's random number each time, so that transcripts take no memory.
 * `sentiment` is null if nobody answered.
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

/** What decides how analytics tell of a call. */
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

/** The conversation as text, one line for each turn. */
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
