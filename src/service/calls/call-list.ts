import { maskNumbers } from '../../domain/phone.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Address } from '../http/address.ts';
import { createAnalyticsReader, type AnalyticsReader } from './analytics.ts';
import { excerptOf, isKeyRefused, isSuccess, type HttpAnswer } from '../http/exchange.ts';
import { parseJson, retryAfterMs } from '../http/body.ts';
import { followPages, itemsIn, type PageRequest, type ReadPage } from '../http/paging.ts';
import type { CallListing, CallOwner, ListedCall, VoiceService } from '../port.ts';
import { fillPath } from '../http/path-slots.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asPhone,
  asTime,
  firstOf,
  idOf,
  pathTexts,
  readPath,
} from '../profile/read-fields.ts';
import type { Scopes } from '../profile/read-fields.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';

interface CallListContext {
  client: HttpClient;
  rules: NonNullable<Profile['calls']>;
  analytics: Profile['analytics'];
  address: Address;
  clock: Clock;
}

/** Reading the list must stay cheaper than the polls that it saves. */
const MOST_PAGES = 50;
/** Lists of different agents or numbers; in one read, at most. */
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
    { rules, base, values, clock: context.clock, mostPages: MOST_PAGES },
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

/**
 * What the list says about a call's analytics. Unreadable analytics give null ("the list does not say"), not
 * `unreadable`: a poll may bring more than the list does.
 */
function foundIn(item: unknown, rules: Reading['rules'], reader: AnalyticsReader, now: number) {
  for (const at of rules.analytics) {
    const value = readPath(item, at);
    if (typeof value !== 'object' || value === null) continue;
    const reading = reader.read(value, now);
    if (reading.kind === 'unreadable') return null;
    // What the list has in part, or elsewhere, a poll reads.
    if (reading.kind !== 'settled') return 'needsMore' in reading ? null : reading;
    return rules.whole && reading.transcriptAt === undefined ? reading : null;
  }
  return null;
}
