import type { UnknownWord } from '../../domain/lead.ts';
import { maskNumbers } from '../../domain/phone.ts';
import type { Clock } from '../../runtime/clock.ts';
import { fillPath, pathShown, type Address } from '../http/address.ts';
import { encodeBody, parseJson, retryAfterMs, type EncodedBody } from '../http/body.ts';
import {
  excerptOf,
  isKeyRefused,
  isSilence,
  isSuccess,
  type HttpAnswer,
} from '../http/exchange.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import {
  followPages,
  itemsIn,
  retryRead,
  TransientFailure,
  type PageRequest,
  type ReadPage,
  type RetryContext,
  type RetryPolicy,
} from '../http/paging.ts';
import type { CallListing, CallOwner, ListedCall, PollResult, VoiceService } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asPhone,
  asTime,
  firstOf,
  idOf,
  pathTexts,
  readPath,
  unwrapped,
  type Scopes,
} from '../profile/read-fields.ts';
import { createAnalyticsReader, type AnalyticsReader } from './analytics.ts';
import { withTranscript } from './transcript.ts';

interface PollContext extends RetryContext {
  client: HttpClient;
  rules: Profile['analytics'];
  /** Makes a profile's path one below the origin; the names of the call stay in it. */
  pathOf: (path: string) => string;
}

/** The pauses are 0.2 to 0.4 s, then 0.4 to 0.8 s. */
const RETRY: RetryPolicy<PollResult> = { retries: 2, firstPauseMs: 200 };
const MOST_PAGES = 50;

/** Makes the function that polls one call: see `VoiceService.readAnalytics`. */
export function createPoll(context: PollContext): VoiceService['readAnalytics'] {
  const { rules, pathOf } = context;
  const paths = { first: pathOf(rules.path), more: pathOf(rules.more?.path ?? '/') };
  const reader = createAnalyticsReader(rules);
  // Shared by all polls of a run: each `AbortSignal.any` keeps memory as long as its sources live.
  const ends = new WeakMap<AbortSignal, AbortSignal>();
  const endOf = (signal: AbortSignal | undefined): AbortSignal => {
    if (signal === undefined) return context.closing;
    const end = ends.get(signal) ?? AbortSignal.any([context.closing, signal]);
    ends.set(signal, end);
    return end;
  };
  return async (callId, signal, of) => {
    const values = { call_id: callId, agent: of?.agent, phone: of?.phone };
    const closing = endOf(signal);
    const poll = { ...context, paths, values, signal };
    const result = await retryRead({ ...context, closing }, RETRY, () => pollOnce(poll, reader));
    return result instanceof TransientFailure
      ? result.outcome
      : withTranscript(result, { ...context, signal });
  };
}

interface Poll extends PollContext {
  paths: { first: string; more: string };
  values: { call_id: string; agent: string | undefined; phone: string | undefined };
  signal: AbortSignal | undefined;
}

async function pollOnce(poll: Poll, reader: AnalyticsReader): Promise<PollResult> {
  const { rules, clock, paths, values } = poll;
  const { method, body, as } = rules;
  const sent = body === undefined ? null : encodeBody(body.render(values), as);
  const first = await readOnce(poll, { method, path: fillPath(paths.first, values), body: sent });
  if ('kind' in first) return first;
  if (first.isNotYet) return reader.readNotYet(first.value);
  const reading = reader.read(first.value, clock.now());
  if (reading.kind === 'unreadable') return first.unreadable(reading.why, reading.unknown);
  if (!('needsMore' in reading) || rules.more === undefined) return reading;
  const more = await readMore(poll, rules.more);
  if ('kind' in more) return more;
  const both = { ...(unwrapped(first.value) as object), [rules.more.into]: more.found };
  const whole = reader.read(both, clock.now());
  return whole.kind === 'unreadable' ? first.unreadable(whole.why, whole.unknown) : whole;
}

/** Reads the second answer of a call; its failures are those of the first. */
async function readMore(
  poll: Poll,
  rules: NonNullable<Profile['analytics']['more']>,
): Promise<{ found: unknown } | PollResult> {
  const { client, clock, values, paths } = poll;
  const base = new URL(fillPath(paths.more, values), client.origin);
  const found: unknown[] = [];
  let last: Answered | undefined;
  let failure: PollResult | undefined;
  const isWhole = await followPages(
    { rules, base, values, clock, mostPages: MOST_PAGES },
    async (request) => {
      const page = await readOnce(poll, request);
      if ('kind' in page) {
        failure = page;
        return null;
      }
      last = page;
      const { value: answer, link: linkHeader, text } = page;
      const items = rules.items.length === 0 ? [answer] : itemsIn(answer, rules.items)?.items;
      if (page.isNotYet) failure = { kind: 'ended' };
      else if (answer === undefined) failure = page.unreadable('it is no JSON');
      else if (items === undefined) {
        failure = page.unreadable(`it has no list; looked for ${pathTexts(rules.items)}`);
      }
      return failure === undefined ? { answer, items: items ?? [], linkHeader, text } : null;
    },
    ({ items }) => found.push(...items) > 0,
  );
  const incomplete = last?.unreadable('not all of its pages can be read');
  if (!isWhole) failure ??= incomplete;
  return failure ?? { found: rules.items.length === 0 ? found[0] : found };
}

interface Answered extends Pick<HttpAnswer, 'text' | 'link'> {
  /** True: by its status, the answer is not there yet. */
  isNotYet: boolean;
  value: unknown;
  unreadable: (
    why: string,
    unknown?: readonly UnknownWord[],
  ) => PollResult & { kind: 'unreadable' };
}

async function readOnce(
  { client, rules, clock, values, signal }: Poll,
  { method, path, body }: { method: string; path: string; body: EncodedBody | null },
): Promise<Answered | (PollResult & { kind: 'failed' | 'unreadable' })> {
  const request = () => `${method} ${client.origin}${pathShown(path, values.phone)}`;
  let answer: HttpAnswer;
  try {
    answer = await client.read(method, path, body, signal);
  } catch (error) {
    const failure = failed(`${request()}: ${causeOf(error)}`, null);
    // A request without an answer has held its request lane for long enough; the poller asks again later.
    if (isSilence(error)) return failure;
    throw new TransientFailure(failure);
  }
  const { status, text, link } = answer;
  const detail = (why: string) =>
    `${request()} was answered with HTTP ${status}${why}; received: ${excerptOf(answer)}`;
  const unreadable = (why: string, unknown: readonly UnknownWord[] = []) =>
    ({ kind: 'unreadable', detail: detail(why), raw: text, unknown }) as const;
  const isNotYet = rules.notYet.has(status);
  if (isNotYet || isSuccess(status)) {
    const but: Answered['unreadable'] = (why, unknown) => unreadable(`, but ${why}`, unknown);
    return { isNotYet, value: parseJson(text), text, link, unreadable: but };
  }
  if (isKeyRefused(status)) return { ...failed(detail(''), null), keyRefused: true };
  if (status !== 429 && status < 500) return unreadable('');
  const waitMs = retryAfterMs(answer.retryAfter, clock.now());
  const failure = failed(detail(''), waitMs);
  // Retry-After is left to the poller, which can use the request lane for another call meanwhile.
  if (status === 429) return { ...failure, works: true };
  if (waitMs !== null) return failure;
  throw new TransientFailure(failure);
}

function failed(detail: string, waitMs: number | null): PollResult & { kind: 'failed' } {
  return { kind: 'failed', detail, retryAfterMs: waitMs, keyRefused: false };
}

interface CallListContext {
  client: HttpClient;
  rules: NonNullable<Profile['calls']>;
  analytics: Profile['analytics'];
  address: Address;
  clock: Clock;
}

/** Reading the list must stay cheaper than the polls that it saves. */
const MOST_LIST_PAGES = 50;
/** Most lists (of different agents or numbers) in one read. */
const MOST_LISTS = 20;

/** Makes the reader of the list of calls: see `VoiceService.callList`. */
export function createCallList(context: CallListContext): VoiceService['callList'] {
  const { rules } = context;
  const reader = createAnalyticsReader(context.analytics);
  return {
    read: async ({ since, of = [], signal }) => {
      const all = pathsOf(rules.path, since, of);
      const paths = all.slice(0, MOST_LISTS);
      const covers = (owner: CallOwner) =>
        pathsOf(rules.path, since, [owner]).every((path) => paths.includes(path));
      const calls = new Map<string, ListedCall>();
      let complete = paths.length === all.length;
      for (const path of paths) {
        const listing = await readAll({ ...context, reader, signal }, path, since);
        if (listing.kind === 'failed') return { ...listing, covers };
        for (const call of listing.calls) calls.set(call.callId, call);
        complete &&= listing.complete;
      }
      return { kind: 'listed', calls: [...calls.values()], complete, covers };
    },
    byNumber: rules.path.includes('{phone}'),
    tellsOfDials:
      rules.attempt.length > 0 || (rules.phone.length > 0 && rules.startedAt.length > 0),
  };
}

type Reading = CallListContext & { reader: AnalyticsReader; signal: AbortSignal | undefined };

/** The list of each agent or number that the profile's path names; without such a name the one list of the account. */
function pathsOf(path: string, since: number, of: readonly CallOwner[]): string[] {
  const owners: readonly Partial<CallOwner>[] = of.length === 0 ? [{}] : of;
  const times = timesOf(since);
  return [...new Set(owners.map(({ agent, phone }) => fillPath(path, { ...times, agent, phone })))];
}

function timesOf(since: number) {
  return {
    since: new Date(since).toISOString(),
    since_ms: since,
    since_s: Math.floor(since / 1_000),
  };
}

async function readAll(context: Reading, path: string, since: number): Promise<CallListing> {
  const { rules, address } = context;
  const values = timesOf(since);
  const base = new URL(address.pathOf(path), address.origin);
  const calls = new Map<string, ListedCall>();
  let hasAllIds = true;
  let failure: FailedListing | undefined;
  const isWhole = await followPages(
    { rules, base, values, clock: context.clock, mostPages: MOST_LIST_PAGES },
    async (request) => {
      const page = await readPage(context, request);
      if (!('kind' in page)) return page;
      failure = page;
      return null;
    },
    ({ items }) => {
      const before = calls.size;
      for (const item of items) {
        const call = readCall(item, context);
        if (call === null) hasAllIds = false;
        else calls.set(call.callId, call);
      }
      return calls.size > before;
    },
  );
  return failure ?? { kind: 'listed', calls: [...calls.values()], complete: isWhole && hasAllIds };
}

type FailedListing = Extract<CallListing, { kind: 'failed' }>;

async function readPage(
  { client, rules, clock, signal }: Reading,
  { method, path, body }: PageRequest,
): Promise<ReadPage | FailedListing> {
  const shown = rules.path.includes('{phone}') ? maskNumbers(path) : path;
  const request = `${method} ${client.origin}${shown}`;
  const failed = { kind: 'failed', retryAfterMs: null, keyRefused: false } as const;
  let answer: HttpAnswer;
  try {
    answer = await client.read(method, path, body, signal);
  } catch (error) {
    return { ...failed, detail: `${request}: ${causeOf(error)}` };
  }
  const { status, text, retryAfter, link: linkHeader } = answer;
  const received = `received: ${excerptOf(answer)}`;
  if (!isSuccess(status)) {
    const detail = `${request} was answered with HTTP ${status}; ${received}`;
    const waitMs = retryAfterMs(retryAfter, clock.now());
    const answered = { ...failed, detail, retryAfterMs: waitMs, keyRefused: isKeyRefused(status) };
    return status < 500 ? { ...answered, works: true } : answered;
  }
  const value = parseJson(text);
  const found = itemsIn(value, rules.items);
  if (found !== undefined) return { answer: value, items: found.items, linkHeader, text };
  const lookedFor = pathTexts(rules.items);
  return {
    ...failed,
    works: true,
    detail: `${request} has no list of calls; looked for ${lookedFor}; ${received}`,
  };
}

function readCall(item: unknown, { rules, reader, clock }: Reading): ListedCall | null {
  const { callId, ...dial } = dialIn([item], rules);
  return callId === null
    ? null
    : { callId, ...dial, found: foundIn(item, rules, reader, clock.now()) };
}

/** What an item of the list says about the dial that made its call. */
export function dialIn(item: Scopes, rules: Reading['rules']) {
  return {
    callId: idOf(item, rules.callId).id,
    phone: firstOf(item, rules.phone, asPhone) ?? null,
    attemptKey: firstOf(item, rules.attempt, asId) ?? null,
    agent: firstOf(item, rules.agent, asId) ?? null,
    startedAt: firstOf(item, rules.startedAt, asTime) ?? null,
  };
}

/** Null for unreadable analytics: a poll may bring more than the list does. */
function foundIn(item: unknown, rules: Reading['rules'], reader: AnalyticsReader, now: number) {
  for (const at of rules.analytics) {
    const value = readPath(item, at);
    if (typeof value !== 'object' || value === null) continue;
    const reading = reader.read(value, now);
    if (reading.kind === 'unreadable') return null;
    // A poll reads what the list has only in part, or elsewhere.
    if (reading.kind !== 'settled') return 'needsMore' in reading ? null : reading;
    return rules.whole && reading.transcriptAt === undefined ? reading : null;
  }
  return null;
}
