import type { Clock } from '../../runtime/clock.ts';
import type { Address } from '../http/address.ts';
import { createAnalyticsReader } from './analytics.ts';
import type { AnalyticsReader } from './analytics.ts';
import { excerptOf } from '../http/excerpt.ts';
import { parseJson } from '../http/json.ts';
import { PageBudget } from '../http/page-budget.ts';
import { firstPage, nextPage, pageRequest } from '../http/paging.ts';
import type { NextPage } from '../http/paging.ts';
import type { CallListing, ListedCall, VoiceService } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asPhone,
  asTime,
  firstOf,
  idOf,
  pathText,
  readPath,
} from '../profile/read-fields.ts';
import type { Scopes } from '../profile/read-fields.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';

interface CallListContext {
  client: HttpClient;
  rules: Profile['calls'];
  analytics: Profile['analytics'];
  address: Address;
  clock: Clock;
}

/** One list must stay cheaper than the looks it saves. */
const MOST_PAGES = 50;

/** Makes the list of calls, where the profile knows one: see `VoiceService.callList`. */
export function createCallList(context: CallListContext): VoiceService['callList'] {
  const { rules } = context;
  if (rules === undefined) return null;
  const reader = createAnalyticsReader(context.analytics);
  return {
    read: ({ since, signal }) => readAll({ ...context, rules, reader, signal }, since),
    tellsOfDials:
      rules.attempt.length > 0 || (rules.phone.length > 0 && rules.startedAt.length > 0),
  };
}

type Reading = CallListContext & {
  rules: NonNullable<Profile['calls']>;
  reader: AnalyticsReader;
  signal?: AbortSignal | undefined;
};

async function readAll(context: Reading, since: number): Promise<CallListing> {
  const { rules, address } = context;
  const values = {
    since: new Date(since).toISOString(),
    since_ms: since,
    since_s: Math.floor(since / 1_000),
  };
  const path = rules.path.replaceAll(/\{(since|since_ms|since_s)\}/g, (_slot, name: string) =>
    encodeURIComponent(String(values[name as keyof typeof values])),
  );
  const base = new URL(address.pathOf(path), address.origin);
  const calls = new Map<string, ListedCall>();
  const budget = new PageBudget(context.clock, MOST_PAGES);
  let complete = true;
  let collected = 0;
  let next: NextPage = { at: firstPage(rules, base) };
  while (typeof next === 'object') {
    const url: URL = next.at;
    if (!budget.take(url)) {
      return { kind: 'listed', calls: [...calls.values()], complete: false };
    }
    const page = await readPage(context, pageRequest(rules, url, base, values));
    if (page.kind === 'failed') return page;
    budget.spend(page.text);
    const before = calls.size;
    for (const item of page.items) {
      const call = readCall(item, context);
      if (call === null) complete = false;
      else calls.set(call.callId, call);
    }
    collected += page.items.length;
    const { answer, items, linkHeader } = page;
    const lastItem = items.at(-1);
    next = nextPage({ answer, url, linkHeader, count: items.length, collected, lastItem }, rules);
    // Nothing new on a page that is not empty: the service does not understand how we ask for the next one.
    const isNothingNew = items.length > 0 && calls.size === before;
    if (typeof next === 'object' && isNothingNew) next = 'lost';
  }
  return { kind: 'listed', calls: [...calls.values()], complete: complete && next !== 'lost' };
}

type Page =
  | {
      kind: 'page';
      answer: unknown;
      items: unknown[];
      linkHeader: string | undefined;
      text: string;
    }
  | Extract<CallListing, { kind: 'failed' }>;

async function readPage(
  { client, rules, clock, signal }: Reading,
  { method, path, body }: ReturnType<typeof pageRequest>,
): Promise<Page> {
  const request = `${method} ${client.origin}${path}`;
  const failed = (detail: string, waitMs: number | null, keyRefused: boolean): Page => ({
    kind: 'failed',
    detail,
    retryAfterMs: waitMs,
    keyRefused,
  });
  let answer;
  try {
    answer = await client.read(method, path, body, signal);
  } catch (error) {
    return failed(`${request}: ${causeOf(error)}`, null, false);
  }
  const { status, text, retryAfter, link: linkHeader } = answer;
  const received = `received: ${excerptOf(answer) || 'an empty body'}`;
  if (status < 200 || status > 299) {
    const detail = `${request} was answered with HTTP ${status}; ${received}`;
    const waitMs = retryAfterMs(retryAfter, clock.now());
    return failed(detail, waitMs, status === 401 || status === 403);
  }
  const value = parseJson(text);
  const items = rules.items.map((at) => readPath(value, at)).find((found) => Array.isArray(found));
  if (items === undefined) {
    const lookedFor = rules.items.map(pathText).join(', ');
    return failed(
      `${request} has no list of calls; looked for ${lookedFor}; ${received}`,
      null,
      false,
    );
  }
  return { kind: 'page', answer: value, items: items as unknown[], linkHeader, text };
}

function readCall(item: unknown, { rules, reader, clock }: Reading): ListedCall | null {
  const { callId, ...dial } = dialIn([item], rules);
  return callId === null
    ? null
    : { callId, ...dial, found: foundIn(item, rules, reader, clock.now()) };
}

/** What an item of the list says of the dial that made its call. */
export function dialIn(item: Scopes, rules: Reading['rules']) {
  return {
    callId: idOf(item, rules.callId).id,
    phone: firstOf(item, rules.phone, asPhone) ?? null,
    attemptKey: firstOf(item, rules.attempt, asId) ?? null,
    agent: firstOf(item, rules.agent, asId) ?? null,
    startedAt: firstOf(item, rules.startedAt, asTime) ?? null,
  };
}

/** What cannot be read here is not unreadable: a look may find more than the list says. */
function foundIn(item: unknown, rules: Reading['rules'], reader: AnalyticsReader, now: number) {
  for (const at of rules.analytics) {
    const value = readPath(item, at);
    if (typeof value !== 'object' || value === null) continue;
    const reading = reader.read(value, now);
    const isKnown = reading.kind !== 'unreadable' && (rules.whole || reading.kind !== 'settled');
    return isKnown ? reading : null;
  }
  return null;
}
