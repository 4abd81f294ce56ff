import { freeSlotsIn, isAgent } from '../calls/agents.ts';
import { createAnalyticsReader, type AnalyticsReader } from '../calls/analytics.ts';
import { dialAnswer, readDialBody } from '../calls/dial.ts';
import { dialIn } from '../calls/poll.ts';
import { asAddress } from '../calls/transcript.ts';
import { createDeliveryReader } from '../webhooks/events.ts';
import { FORM, parseJson } from '../http/body.ts';
import { excerptOf, isSuccess } from '../http/exchange.ts';
import { firstPage, itemsIn, nextPage } from '../http/paging.ts';
import { outcomeOf } from '../../domain/lead.ts';
import { unknownWordSentence } from '../../text/nearest.ts';
import type { Profile } from './profile.ts';
import { asId, asText, firstOf, inside, pathTexts, readPath, scopesOf } from './read-fields.ts';
import type { OnFound } from './read-fields.ts';

export type Operation = 'dial' | 'analytics' | 'agents' | 'calls' | 'slots' | 'webhook';

export interface Asked {
  profile: Profile;
  answer: unknown;
  text: string;
  status: number;
  onFound: OnFound;
  now: number;
}

interface Said {
  ok: boolean;
  says: string;
}

export const READERS: Record<Operation, (asked: Asked) => Said> = {
  dial({ profile: { dial }, text, status, onFound }) {
    const body = readDialBody(text, isSuccess(status), dial, onFound);
    const words = { request: 'the dial', lookedFor: pathTexts(dial.callId) };
    const sent = { kind: 'answered', status, cutShort: null, retryAfterMs: null } as const;
    const excerpt = excerptOf({ status, text });
    const answer = dialAnswer({ ...sent, ...body, excerpt }, dial.answers, words);
    if (answer.kind === 'placed') return { ok: true, says: `placed: call ${answer.callId}` };
    if (answer.kind === 'unknown') {
      return {
        ok: !isSuccess(status),
        says: `unknown (the call may have been made, so this person is not called again): ${answer.detail}`,
      };
    }
    const pauses = answer.kind === 'rejected' && answer.pause === true;
    return { ok: true, says: pauses ? 'nothing was done, and the campaign pauses' : answer.kind };
  },
  analytics({ profile: { analytics }, answer, status, onFound, now }) {
    const reader = createAnalyticsReader(analytics, onFound);
    if (analytics.notYet.has(status)) {
      return { ok: true, says: `not completed yet: ${reader.readNotYet(answer).kind}` };
    }
    if (!isSuccess(status)) return { ok: true, says: `a failure (HTTP ${status})` };
    const reading = reader.read(answer, now);
    return { ok: reading.kind !== 'unreadable', says: saidOf(reading, analytics.more) };
  },
  agents: ({ profile, answer, onFound }) => {
    const { list } = profile.agents;
    const idOf: IdOf = (item) => {
      firstOf(item, list.name, asText);
      return firstOf(item, list.id, asId) ?? null;
    };
    return readList(answer, list, onFound, idOf, (item) => isAgent(item, list));
  },
  calls: ({ profile: { calls }, answer, onFound }) => {
    if (calls === undefined) return { ok: false, says: 'the profile has no list of calls (calls)' };
    return readList(answer, calls, onFound, (item) => {
      const at = calls.analytics.find(
        (path) => typeof (readPath(item[0], path) ?? '') === 'object',
      );
      if (at !== undefined) onFound(at, readPath(item[0], at));
      return dialIn(item, calls).callId;
    });
  },
  slots({ profile: { slots }, answer, onFound }) {
    if (slots === undefined)
      return { ok: false, says: 'the profile does not ask for free slots (slots)' };
    const free = freeSlotsIn(answer, slots, onFound);
    const lookedFor = pathTexts(slots.free);
    if (free === null)
      return { ok: false, says: `no number of free slots; looked for ${lookedFor}` };
    return { ok: true, says: `${free} more calls may be started` };
  },
  webhook({ profile: { webhooks, analytics }, text, onFound }) {
    if (webhooks === undefined) return { ok: false, says: 'the profile has no section `webhooks`' };
    const read = createDeliveryReader(webhooks, analytics, onFound);
    const isJson = parseJson(text) !== undefined;
    const event = read(Buffer.from(text.trim()), isJson ? 'application/json' : FORM);
    if (event.kind === 'unreadable') return { ok: false, says: `unreadable: ${event.why}` };
    const call = event.callId === null ? 'no call id' : `call ${event.callId}`;
    const brings = event.found === null ? '' : `, brings analytics (${event.found.kind})`;
    const says = `event ${event.type ?? 'without a type'}: ${event.meaning}, ${call}${brings}`;
    return { ok: event.meaning !== 'unknown', says };
  },
};

function saidOf(
  reading: ReturnType<AnalyticsReader['read']>,
  more: Profile['analytics']['more'],
): string {
  const unknown = ('unknown' in reading ? reading.unknown : undefined) ?? [];
  const words = unknown.map(unknownWordSentence).join(' ');
  const strange = words === '' ? '' : `. ${words}`;
  switch (reading.kind) {
    case 'pending':
      return strange === ''
        ? 'not completed yet: its status is no word of `ended` or `processing`'
        : `not completed yet${strange}`;
    case 'ended':
      return 'needsMore' in reading && more !== undefined
        ? `the line is down; \`${more.into}\` is read next, with ${more.method} ${more.path}: save its answer beside this one, as more... in place of analytics...`
        : 'the line is down, the analytics are still to come';
    case 'unreadable':
      return `unreadable: ${reading.why}`;
    case 'settled': {
      const { durationMs, sentiment } = reading.analytics;
      const { result: outcome, source } = outcomeOf(reading.analytics, reading.result);
      const result = source === 'service' ? outcome : `${outcome}, derived from the transcript`;
      const length = durationMs === null ? 'none' : `${durationMs / 1_000} s`;
      const mood = sentiment === null ? 'none' : (sentiment.label ?? String(sentiment.score));
      const again = reading.callback === undefined ? '' : `, callback ${reading.callback.said}`;
      return `settled: result ${result}, duration ${length}, sentiment ${mood}${again}${strange}`;
    }
  }
}

type IdOf = (item: ReturnType<typeof inside>) => string | null;

function readList(
  answer: unknown,
  rules: NonNullable<Profile['calls']> | Profile['agents']['list'],
  onFound: OnFound,
  idOf: IdOf,
  isMeant: (item: unknown) => boolean = () => true,
): Said {
  const found = itemsIn(answer, rules.items);
  if (found === undefined) {
    return { ok: false, says: `no list; looked for ${pathTexts(rules.items)}` };
  }
  const { items, path } = found;
  onFound(path, items);
  const traced = scopesOf({}, [[]], onFound);
  const meant = items.filter(isMeant);
  const ids = meant.map((item) => idOf(inside(item, traced))).filter((id) => id !== null);
  // The service of a saved answer is not known: a link of it is taken for one to the service itself.
  const links = [...rules.next.links, ...rules.next.values.map(([at]) => at)];
  const link = firstOf(scopesOf(answer, rules.within), links, asAddress);
  const base = new URL(rules.path.replaceAll(/[{}]/g, ''), link ?? 'https://service.invalid');
  const url = firstPage(rules, base);
  const count = items.length;
  const page = { answer, url, linkHeader: undefined, items, collected: count };
  const next = nextPage(page, rules);
  const more =
    next === 'none'
      ? 'the last page'
      : next === 'lost'
        ? 'more pages, not found'
        : `next page: ${next.at.pathname}${next.at.search}`;
  const ok = ids.length === meant.length && next !== 'lost';
  const others = count - meant.length;
  const leftOut = others === 0 ? '' : `${others} of ${count} left out (only); `;
  return { ok, says: `${leftOut}${ids.length} of ${meant.length} have an id; ${more}` };
}
