import { seededRandom } from '../../runtime/random.ts';
import type { Random } from '../../runtime/random.ts';
import type { AgentRecord } from '../account.ts';
import type { Unanswered, Wishes } from '../options.ts';
import { AGENT, ATTITUDES, EXCHANGES, MACHINE_GREETINGS } from './phrases.ts';
import type { Attitude, SentimentLabel } from './phrases.ts';
import { readPrompt } from './prompt.ts';
import type { Brief } from './prompt.ts';
import type { CallRecord } from './timeline.ts';

/**
 * One turn. An answering machine has the role `person`, because a service only transcribes and cannot tell them apart.
 */
export interface SpokenTurn {
  role: 'agent' | 'person';
  text: string;
}

export interface SentimentResult {
  label: SentimentLabel;
  /** -1 (very negative) to 1 (very positive). */
  score: number;
}

/**
 * What was said. It is generated from the call's random number each time, so that transcripts take no memory. A longer
 * call has more turns, and what the person says fits the sentiment, which is null if nobody answered.
 */
export function converse(
  call: Pick<CallRecord, 'outcome' | 'durationS' | 'draw'>,
  agent: Pick<AgentRecord, 'name' | 'systemPrompt'>,
  { optOuts = SHARE_OPTING_OUT }: Pick<Wishes, 'optOuts'> = {},
): { turns: SpokenTurn[]; sentiment: SentimentResult | null; optsOut: boolean } {
  const random = seededRandom(String(call.draw));
  if (call.outcome === 'voicemail') {
    const turns = voicemail(speaker(agent, random));
    return { turns, sentiment: { label: 'neutral', score: 0 }, optsOut: false };
  }
  if (call.outcome !== 'answered') return { turns: [], sentiment: null, optsOut: false };
  const attitude = attitudeFor(call.durationS, random, optOuts);
  const sentiment = sentimentOf(attitude, random);
  const optsOut = attitude === ATTITUDES.optOut;
  return { turns: talk(attitude, call.durationS, speaker(agent, random)), sentiment, optsOut };
}

/** The analytics of a completed call as the service sends them, in the answer to a GET and in call.finished. */
export function analyticsOf(call: CallRecord, agent: AgentRecord, options: TellingOptions) {
  const { turns, sentiment, optsOut } = converse(call, agent, options);
  const { unanswered } = options;
  const isSaid = unanswered === 'status' && call.outcome !== 'answered';
  const callbackAt = optsOut ? null : callbackOf(call, options);
  return {
    call_id: call.id,
    agent_id: call.agentId,
    phone_number: call.phone,
    status: isSaid ? call.outcome : 'completed',
    started_at: new Date(call.placedAt).toISOString(),
    ended_at: new Date(call.endedAt).toISOString(),
    duration: call.durationS,
    sentiment,
    transcript: transcriptOf(turns),
    turns,
    ...(unanswered === 'outcome' && { outcome: optsOut ? 'opted_out' : call.outcome }),
    ...(callbackAt !== null && { callback_at: new Date(callbackAt).toISOString() }),
  };
}

/** What decides how analytics tell of a call. */
export type TellingOptions = Wishes & { unanswered: Unanswered; timeScale: number };

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

/** In a call shorter than this, the person hangs up on the agent's first sentence. */
const SHORTEST_TALK_S = 8;

/** Draws a person's attitude, given the length of the call: people who are not interested hang up early. */
function attitudeFor(durationS: number, random: Random, optOuts: number): Attitude {
  if (random() < optOuts) return ATTITUDES.optOut;
  const draw = random();
  if (durationS < SHORTEST_TALK_S) return draw < 0.5 ? ATTITUDES.busy : ATTITUDES.annoyed;
  if (durationS < 20) {
    if (draw < 0.45) return ATTITUDES.busy;
    return draw < 0.8 ? ATTITUDES.annoyed : ATTITUDES.polite;
  }
  if (durationS < 90) {
    if (draw < 0.1) return ATTITUDES.annoyed;
    return draw < 0.55 ? ATTITUDES.polite : ATTITUDES.interested;
  }
  return draw < 0.3 ? ATTITUDES.polite : ATTITUDES.interested;
}

function sentimentOf({ sentiment: label }: Attitude, random: Random): SentimentResult {
  const strength = random();
  const score =
    label === 'neutral'
      ? strength * 0.4 - 0.2
      : (0.35 + strength * 0.6) * (label === 'positive' ? 1 : -1);
  return { label, score: Math.round(score * 100) / 100 };
}

function voicemail({ say }: Speaker): SpokenTurn[] {
  return [
    { role: 'person', text: say(MACHINE_GREETINGS) },
    { role: 'agent', text: say(AGENT.voicemail) },
  ];
}

/** Adds questions until the call is as long as planned, or no question is left. */
function talk(attitude: Attitude, durationS: number, { say, fill, choose }: Speaker): SpokenTurn[] {
  const end: SpokenTurn[] = [
    { role: 'person', text: say(attitude.verdict) },
    { role: 'agent', text: say(attitude.closing) },
  ];
  const turns: SpokenTurn[] = [{ role: 'agent', text: say(AGENT.opening) }];
  const isTimeLeft = () => secondsOf(turns) + secondsOf(end) < durationS;
  if (durationS < SHORTEST_TALK_S) return [...turns, ...end];

  turns.push({ role: 'person', text: say(attitude.hello) });
  turns.push({ role: 'agent', text: say(AGENT.purpose) });
  if (!isTimeLeft()) return [...turns, ...end];

  turns.push({ role: 'person', text: say(attitude.reaction) });
  for (let asked = 0; asked < EXCHANGES.length && isTimeLeft(); asked++) {
    const exchange = choose(EXCHANGES);
    turns.push({ role: 'agent', text: fill(exchange.question) });
    turns.push({ role: 'person', text: exchange[attitude.sentiment] });
  }
  return [...turns, { role: 'agent', text: say(AGENT.wrapUp) }, ...end];
}

const SECONDS_PER_WORD = 0.4;
const PAUSE_S = 0.7;

function secondsOf(turns: readonly SpokenTurn[]): number {
  const words = turns.reduce((sum, turn) => sum + turn.text.split(' ').length, 0);
  return words * SECONDS_PER_WORD + turns.length * PAUSE_S;
}

type Speaker = ReturnType<typeof speaker>;

/** A prompt is parsed once for each agent, not for each transcript. */
const briefs = new WeakMap<object, Brief>();

function speaker(agent: Pick<AgentRecord, 'name' | 'systemPrompt'>, random: Random) {
  const brief = briefs.get(agent) ?? readPrompt(agent.systemPrompt);
  briefs.set(agent, brief);
  const remaining = new Map<readonly unknown[], unknown[]>();
  /** A random item; no item is repeated before all have been chosen. */
  const choose = <T>(items: readonly T[]): T => {
    let left = remaining.get(items) as T[] | undefined;
    if (left === undefined || left.length === 0) left = [...items];
    remaining.set(items, left);
    return left.splice(Math.floor(random() * left.length), 1)[0] as T;
  };
  /** Fills in the agent's name, purpose and topics. */
  const fill = (phrase: string) =>
    phrase.replace(/\{(agent|purpose|topic)\}/g, (_, word) => {
      if (word === 'agent') return agent.name.replace(/\s+/gu, ' ');
      return choose(word === 'purpose' ? brief.purposes : brief.topics);
    });
  return { choose, fill, say: (phrases: readonly string[]) => fill(choose(phrases)) };
}
