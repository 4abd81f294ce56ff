import { seededRandom } from '../../runtime/random.ts';
import type { Random } from '../../runtime/random.ts';
import type { AgentRecord } from '../account.ts';
import type { SimulatorOptions, Wishes } from '../options.ts';
import type { CallRecord } from './timeline.ts';
import { TRANSCRIPTS, VOICEMAILS, type Attitude } from './transcripts.ts';

/**
 * One turn. An answering machine has the role `person`, because a service only transcribes and cannot tell them apart.
 */
export interface SpokenTurn {
  role: 'agent' | 'person';
  text: string;
}

export const SENTIMENT_LABELS = ['positive', 'neutral', 'negative'] as const;
type SentimentLabel = (typeof SENTIMENT_LABELS)[number];

export interface SentimentResult {
  label: SentimentLabel;
  /** -1 (very negative) to 1 (very positive). */
  score: number;
}

/**
 * What was said: one of `TRANSCRIPTS`, chosen by the call's random number each time, so that transcripts take no memory.
 * A longer call has more turns. `sentiment` is null if nobody answered.
 */
export function converse(
  call: Pick<CallRecord, 'outcome' | 'durationS' | 'draw'>,
  agent: Pick<AgentRecord, 'name' | 'systemPrompt'>,
  { optOuts = SHARE_OPTING_OUT }: Pick<Wishes, 'optOuts'> = {},
): { turns: SpokenTurn[]; sentiment: SentimentResult | null; optsOut: boolean } {
  const random = seededRandom(String(call.draw));
  if (call.outcome === 'voicemail') {
    const turns = spoken(chosen(VOICEMAILS, random), ['person', 'agent'], agent);
    return { turns, sentiment: { label: 'neutral', score: 0 }, optsOut: false };
  }
  if (call.outcome !== 'answered') return { turns: [], sentiment: null, optsOut: false };
  const attitude = attitudeFor(call.durationS, random, optOuts);
  const sentiment = sentimentOf(attitude, random);
  const said = cutTo(call.durationS, chosen(TRANSCRIPTS[attitude], random));
  return {
    turns: spoken(said, ['agent', 'person'], agent),
    sentiment,
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

/** About how long the agent and the person take for a turn each. */
const EXCHANGE_S = 8;

/** Draws a person's attitude, given the length of the call: people who are not interested hang up early. */
function attitudeFor(durationS: number, random: Random, optOuts: number): Attitude {
  if (random() < optOuts) return 'optOut';
  const draw = random();
  if (durationS < EXCHANGE_S) return draw < 0.5 ? 'busy' : 'annoyed';
  if (durationS < 20) {
    if (draw < 0.45) return 'busy';
    return draw < 0.8 ? 'annoyed' : 'polite';
  }
  if (durationS < 90) {
    if (draw < 0.1) return 'annoyed';
    return draw < 0.55 ? 'polite' : 'interested';
  }
  return draw < 0.3 ? 'polite' : 'interested';
}

const SENTIMENT: Record<Attitude, SentimentLabel> = {
  interested: 'positive',
  polite: 'neutral',
  busy: 'neutral',
  annoyed: 'negative',
  optOut: 'negative',
};

function sentimentOf(attitude: Attitude, random: Random): SentimentResult {
  const label = SENTIMENT[attitude];
  const strength = random();
  const score =
    label === 'neutral'
      ? strength * 0.4 - 0.2
      : (0.35 + strength * 0.6) * (label === 'positive' ? 1 : -1);
  return { label, score: Math.round(score * 100) / 100 };
}

/** The first sentence, as many exchanges as the call has time for, and the last words of both. */
function cutTo(durationS: number, said: readonly string[]): string[] {
  const kept = 1 + 2 * Math.floor(durationS / EXCHANGE_S);
  return [...said.slice(0, -2).slice(0, kept), ...said.slice(-2)];
}

function spoken(
  said: readonly string[],
  roles: readonly [SpokenTurn['role'], SpokenTurn['role']],
  { name, systemPrompt }: Pick<AgentRecord, 'name' | 'systemPrompt'>,
): SpokenTurn[] {
  const words = { '{agent}': name.replace(/\s+/gu, ' '), '{task}': taskIn(systemPrompt) };
  return said.map((text, turn) => ({
    role: roles[turn % 2 === 0 ? 0 : 1],
    text: text.replace(/\{agent\}|\{task\}/g, (word) => words[word as keyof typeof words]),
  }));
}

const LONGEST_TASK = 140;

/** The first sentence of a prompt that says what the agent is for, without the full stop. */
function taskIn(systemPrompt: string): string {
  const sentences = systemPrompt
    .slice(0, 1_000)
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n/u)
    .map((sentence) =>
      sentence.replace(/\s+/gu, ' ').replace(/^[\s#*-]+|(?<![\s.!?。！？])[\s.!?。！？]+$/gu, ''),
    )
    .filter((sentence) => sentence !== '');
  const task = sentences.find((sentence) => !ABOUT_ITSELF.test(sentence)) ?? sentences[0] ?? 'none';
  return task.slice(0, LONGEST_TASK);
}

/** Sentences about who the agent is and how it should speak are not said aloud. */
const ABOUT_ITSELF =
  /^(?:you are|you're|never|always|do not|don't|avoid|be|keep|speak|sound|stay|use|if|when)\b/iu;

function chosen<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}
