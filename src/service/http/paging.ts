import pRetry from 'p-retry';

import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Profile } from '../profile/profile.ts';
import {
  asId,
  asNumber,
  firstOf,
  readPath,
  scopesOf,
  type Path,
  type Scopes,
} from '../profile/read-fields.ts';
import { encodeBody, type BodyValues, type EncodedBody } from './body.ts';

type Rules = Omit<Profile['agents']['list'], 'id' | 'name' | 'systemPrompt' | 'only'>;

/** One page of a list, and what was known when it was requested. */
interface Page {
  answer: unknown;
  /** The full address that the page came from. */
  url: URL;
  /** The Link header (RFC 8288), if any. */
  linkHeader: string | undefined;
  items: readonly unknown[];
  /** Items on all pages so far, this one included. */
  collected: number;
}

/** Where the next page is; `none`: this page was the last; `lost`: there is another page, but no way to request it. */
type NextPage = { at: URL } | 'none' | 'lost';

/** A page as the service sent it. */
export interface ReadPage extends Pick<Page, 'answer' | 'items' | 'linkHeader'> {
  /** The body; its length counts towards `LARGEST_LIST`. */
  text: string;
}

export type PageRequest = ReturnType<typeof pageRequest>;

/** Characters of all pages together; bounded because the whole list is held in memory. */
const LARGEST_LIST = 67_108_864;
const LONGEST_LIST_MS = 5 * 60_000;

interface List {
  rules: Rules;
  /** The address that the profile gives. */
  base: URL;
  values?: BodyValues;
  clock: Pick<Clock, 'monotonic'>;
  mostPages: number;
}

/**
 * Reads a list page by page until its end. A service whose pages link in a circle, are slow or are very large must
 * neither block the reader nor fill its memory: the number of pages, their size and the time are limited.
 * @param read reads one page; null: the page could not be read
 * @param take is given each page, and returns whether anything on it was new
 * @returns false when pages were left out: a page could not be read or found, or a limit was reached
 */
export async function followPages(
  { rules, base, values, clock, mostPages }: List,
  read: (request: PageRequest, url: URL) => Promise<ReadPage | null>,
  take: (page: ReadPage) => boolean,
): Promise<boolean> {
  const until = clock.monotonic() + LONGEST_LIST_MS;
  const asked = new Set<string>();
  let [characters, collected] = [0, 0];
  let next: NextPage = { at: firstPage(rules, base) };
  while (typeof next === 'object') {
    const url: URL = next.at;
    if (asked.has(url.href) || asked.size === mostPages) return false;
    if (characters > LARGEST_LIST || clock.monotonic() > until) return false;
    asked.add(url.href);
    const page = await read(pageRequest(rules, url, base, values), url);
    if (page === null) return false;
    characters += page.text.length;
    const isNew = take(page);
    collected += page.items.length;
    next = nextPage({ ...page, url, collected }, rules);
    // The service does not understand our request for the next page, and sends the same page again.
    if (typeof next === 'object' && page.items.length > 0 && !isNew) return false;
  }
  return next === 'none';
}

/** The items of a page, and the first candidate path that leads to a list; undefined: no candidate does. */
export function itemsIn(
  answer: unknown,
  candidates: readonly Path[],
): { items: unknown[]; path: Path } | undefined {
  for (const path of candidates) {
    const items = readPath(answer, path);
    if (Array.isArray(items)) return { items: items as unknown[], path };
  }
  return undefined;
}

/** The address of the first page. If the profile counts pages, the first page's number is sent like any other. */
export function firstPage({ next: { count } }: Rules, base: URL): URL {
  if (count === undefined) return base;
  const first = withParameter(base, count.send, String(count.from));
  return count.with === undefined ? first : withParameter(first, count.with, String(count.size));
}

/**
 * Finds the next page: by a link, by a value to send back (cursor, page or offset), or by adding to this page's number
 * or offset. Links to another origin are not followed: the key goes to the service's own host only.
 */
export function nextPage(page: Page, rules: Rules): NextPage {
  const { next } = rules;
  const sending = (parameter: string, value: string | number): NextPage => ({
    at: withParameter(page.url, parameter, String(value)),
  });
  const count = page.items.length;
  const scopes = scopesOf(page.answer, rules.within);
  const more = firstOf(scopes, next.more, (value) =>
    typeof value === 'boolean' ? value : undefined,
  );
  const total = numberIn(scopes, next.total);
  if (more === false) return 'none';

  const header = linkIn(page.linkHeader);
  if (header !== undefined) return follow(header, page.url);
  const link = firstOf(scopes, next.links, asHint);
  if (typeof link === 'string') return isLink(link) ? follow(link, page.url) : 'lost';

  for (const [path, parameter] of next.values) {
    const value = firstOf(scopes, [path], asHint);
    if (typeof value !== 'string') continue;
    return isLink(value) ? follow(value, page.url) : sending(parameter, value);
  }

  const { window } = next;
  if (window !== undefined) {
    const from = count < window.size ? null : firstOf([page.items.at(-1)], window.at, asId);
    return typeof from === 'string' ? sending(window.send, from) : 'none';
  }

  if (next.count !== undefined) return countedPage(page, next.count, total);

  const number = next.page && numberIn(scopes, next.page.at);
  const pages = numberIn(scopes, next.pages) ?? 0;
  const isMore = more === true || (number ?? 0) < pages || page.collected < (total ?? 0);
  if (!isMore) return 'none';
  if (next.page !== undefined && number !== undefined) return sending(next.page.send, number + 1);
  const offset = next.offset && numberIn(scopes, next.offset.at);
  if (next.offset !== undefined && offset !== undefined && count > 0) {
    return sending(next.offset.send, offset + count);
  }
  return 'lost';
}

/** A page that is not full is the last one, unless the service gives a total, which is more reliable. */
function countedPage(
  { url, items, collected }: Page,
  { send, size }: NonNullable<Rules['next']['count']>,
  total: number | undefined,
): NextPage {
  const isMore = total === undefined ? items.length >= size : collected < total;
  if (!isMore) return 'none';
  if (items.length === 0) return 'lost';
  const number = Number(url.searchParams.get(send)) + 1;
  return { at: withParameter(url, send, String(number)) };
}

/**
 * Sends cursor, page number or offset in the query, or in the body if the profile says so.
 * @param base the address from the profile: its own query parameters stay in the query
 */
export function pageRequest(
  { method, body, as, next }: Rules,
  url: URL,
  base: URL,
  values: BodyValues = {},
): { method: string; path: string; body: EncodedBody | null } {
  if (method === 'GET') return { method, path: url.pathname + url.search, body: null };
  const rendered = body?.render(values) ?? {};
  if (next.in === 'query') {
    return { method, path: url.pathname + url.search, body: encodeBody(rendered, as) };
  }
  const counted = [next.count?.send, next.count?.with, next.page?.send, next.offset?.send];
  const moved = [...url.searchParams]
    .filter(([name]) => !base.searchParams.has(name))
    .map(([name, value]) => [name, counted.includes(name) ? Number(value) : value] as const);
  const path = base.pathname + base.search;
  return { method, path, body: encodeBody({ ...rendered, ...Object.fromEntries(moved) }, as) };
}

/** A cursor, number or link to another page; empty text, false and 0 mean that there is no other page. */
function asHint(value: unknown): string | undefined {
  if (typeof value === 'number' && value > 0) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberIn(scopes: Scopes, candidates: readonly Path[]): number | undefined {
  return firstOf(scopes, candidates, asNumber) ?? undefined;
}

function isLink(text: string): boolean {
  return /^(https?:\/\/|\/|\?)/.test(text);
}

function follow(link: string, from: URL): NextPage {
  if (!URL.canParse(link, from.href)) return 'lost';
  const at = new URL(link, from);
  return at.origin === from.origin ? { at } : 'lost';
}

function withParameter(from: URL, name: string, value: string): URL {
  const at = new URL(from);
  at.searchParams.set(name, value);
  return at;
}

function linkIn(header: string | undefined): string | undefined {
  for (const part of header?.split(/,(?=\s*<)/) ?? []) {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    const said = parameters.split(';').map((one) => /^\s*rel\s*=(.*)/i.exec(one)?.[1] ?? '');
    if (
      said.some((one) =>
        one
          .toLowerCase()
          .split(/[\s"]+/)
          .includes('next'),
      )
    )
      return target;
  }
  return undefined;
}

export interface RetryContext {
  clock: Clock;
  random: Random;
  /** Aborts when the service is closed: no retry begins after that. */
  closing: AbortSignal;
}

export interface RetryPolicy<T> {
  /** Retries after the first try, at most. */
  retries: number;
  /** The first pause is one to two times this, in ms; each further pause is twice as long. */
  firstPauseMs: number;
  /** `retries`: how many were made. Default: every failure is worth another try. */
  isWorthRetrying?: (failure: TransientFailure<T>, retries: number) => boolean;
}

/** A read failed in a way that may be over in a moment: no answer, 429 or 5xx. */
export class TransientFailure<T> extends Error {
  /** What the caller gets when no retry succeeds. */
  readonly outcome: T;
  /** What Retry-After asks for, in ms; null: nothing. */
  readonly waitMs: number | null;

  constructor(outcome: T, waitMs: number | null = null) {
    super('a read failed');
    this.outcome = outcome;
    this.waitMs = waitMs;
  }
}

/**
 * Runs a read, and retries it while it throws `TransientFailure`, with exponential backoff and jitter. For reads only:
 * a retried dial could be a second call.
 * @returns the last failure if no try succeeded
 * @throws anything else that `read` throws, at once
 */
export async function retryRead<T, F>(
  { clock, random, closing }: RetryContext,
  { retries, firstPauseMs, isWorthRetrying = () => true }: RetryPolicy<F>,
  read: () => Promise<T>,
): Promise<T | TransientFailure<F>> {
  const isRetried = (error: unknown, made: number): error is TransientFailure<F> =>
    error instanceof TransientFailure && isWorthRetrying(error as TransientFailure<F>, made);
  try {
    return await pRetry(read, {
      retries,
      // The pause is made below, on our own clock, because tests cannot control p-retry's timer.
      minTimeout: 0,
      onFailedAttempt: async ({ error, retriesLeft, retriesConsumed }) => {
        if (retriesLeft === 0 || !isRetried(error, retriesConsumed)) return;
        const backoffMs = firstPauseMs * 2 ** retriesConsumed * (1 + random());
        await clock.sleep(Math.max(backoffMs, error.waitMs ?? 0), closing);
      },
      shouldRetry: ({ error, retriesConsumed }) =>
        isRetried(error, retriesConsumed) && !closing.aborted,
    });
  } catch (error) {
    if (error instanceof TransientFailure) return error as TransientFailure<F>;
    throw error;
  }
}
