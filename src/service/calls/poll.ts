import { createAnalyticsReader, type AnalyticsReader } from './analytics.ts';
import { encodeBody, parseJson, retryAfterMs, type EncodedBody } from '../http/body.ts';
import {
  excerptOf,
  isKeyRefused,
  isSilence,
  isSuccess,
  type HttpAnswer,
} from '../http/exchange.ts';
import { followPages, itemsIn } from '../http/paging.ts';
import { fillPath, pathShown } from '../http/path-slots.ts';
import type { UnknownWord } from '../../domain/outcome.ts';
import type { PollResult, VoiceService } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import { pathTexts, unwrapped } from '../profile/read-fields.ts';
import { retryRead, TransientFailure } from '../http/retry-read.ts';
import type { RetryContext, RetryPolicy } from '../http/retry-read.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import { withTranscript } from './transcript.ts';

interface PollContext extends RetryContext {
  client: HttpClient;
  rules: Profile['analytics'];
  /** Makes a profile's path one below the origin; the names of the call stay in it. */
  pathOf: (path: string) => string;
}

/** The pauses are 0.2 to 0.4 s, then 0.4 to 0.8 s. */
const RETRY: RetryPolicy<PollResult> = { retries: 2, firstPauseMs: 200 };
/** No conversation has more pages than this. */
const MOST_PAGES = 50;

/** Makes the function that polls one call: see `VoiceService.readAnalytics`. */
export function createPoll(context: PollContext): VoiceService['readAnalytics'] {
  const { rules, pathOf } = context;
  const paths = { first: pathOf(rules.path), more: pathOf(rules.more?.path ?? '/') };
  const reader = createAnalyticsReader(rules);
  // One for all polls of a run: each `AbortSignal.any` leaves some memory with its sources for as long as they live.
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
  /** What may be in a path or a body. */
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
