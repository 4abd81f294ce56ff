import { createAnalyticsReader, type AnalyticsReader } from './analytics.ts';
import { encodeBody, type EncodedBody } from '../http/body.ts';
import { excerptOf } from '../http/excerpt.ts';
import { type HttpAnswer, isKeyRefused, isSilence, isSuccess } from '../http/exchange.ts';
import { parseJson } from '../http/json.ts';
import type { UnknownWord } from '../../domain/outcome.ts';
import type { PollResult } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import { retryRead, TransientFailure } from '../http/retry-read.ts';
import type { RetryContext, RetryPolicy } from '../http/retry-read.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';
import { withTranscript } from './transcript-address.ts';

interface PollContext extends RetryContext {
  client: HttpClient;
  rules: Profile['analytics'];
  /** Path below the origin, with `{call_id}` in it. */
  path: string;
}

/** The pauses are 0.2 to 0.4 s, then 0.4 to 0.8 s. */
const RETRY: RetryPolicy<PollResult> = { retries: 2, firstPauseMs: 200 };

/** Makes the function that polls one call: see `VoiceService.readAnalytics`. */
export function createPoll(context: PollContext) {
  // If the path does not contain `{call_id}`, the body carries the call id.
  const [before = '', after] = context.path.split('{call_id}');
  const { body, as } = context.rules;
  const reader = createAnalyticsReader(context.rules);
  return async (callId: string, signal?: AbortSignal): Promise<PollResult> => {
    const path = after === undefined ? before : before + encodeURIComponent(callId) + after;
    const sent = body === undefined ? null : encodeBody(body.render({ call_id: callId }), as);
    const closing =
      signal === undefined ? context.closing : AbortSignal.any([context.closing, signal]);
    const result = await retryRead({ ...context, closing }, RETRY, () =>
      pollOnce(context, path, sent, signal, reader),
    );
    return result instanceof TransientFailure
      ? result.outcome
      : withTranscript(result, { ...context, signal });
  };
}

async function pollOnce(
  { client, rules, clock }: PollContext,
  path: string,
  body: EncodedBody | null,
  signal: AbortSignal | undefined,
  reader: AnalyticsReader,
): Promise<PollResult> {
  const request = () => `${rules.method} ${client.origin}${path}`;
  let answer: HttpAnswer;
  try {
    answer = await client.read(rules.method, path, body, signal);
  } catch (error) {
    const failure = failed(`${request()}: ${causeOf(error)}`, null);
    // A request without an answer has held its request lane for long enough; the poller asks again later.
    if (isSilence(error)) return failure;
    throw new TransientFailure(failure);
  }
  const { status, text } = answer;
  if (rules.notYet.has(status)) return reader.readNotYet(parseJson(text));
  let why = '';
  let unknown: readonly UnknownWord[] = [];
  if (isSuccess(status)) {
    const reading = reader.read(parseJson(text), clock.now());
    if (reading.kind !== 'unreadable') return reading;
    why = `, but ${reading.why}`;
    ({ unknown } = reading);
  }
  const detail = `${request()} was answered with HTTP ${status}${why}; received: ${excerptOf(answer)}`;
  if (isKeyRefused(status)) return { ...failed(detail, null), keyRefused: true };
  if (status !== 429 && status < 500) return { kind: 'unreadable', detail, raw: text, unknown };
  const waitMs = retryAfterMs(answer.retryAfter, clock.now());
  const failure = failed(detail, waitMs);
  // Retry-After is left to the poller, which can use the request lane for another call meanwhile.
  if (status === 429) return { ...failure, works: true };
  if (waitMs !== null) return failure;
  throw new TransientFailure(failure);
}

function failed(detail: string, waitMs: number | null): PollResult & { kind: 'failed' } {
  return { kind: 'failed', detail, retryAfterMs: waitMs, keyRefused: false };
}
