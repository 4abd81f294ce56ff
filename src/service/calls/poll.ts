import { createAnalyticsReader } from './analytics.ts';
import type { AnalyticsReader } from './analytics.ts';
import { encodeBody } from '../http/body.ts';
import type { EncodedBody } from '../http/body.ts';
import { excerptOf } from '../http/excerpt.ts';
import { type HttpAnswer, isSilence } from '../http/exchange.ts';
import { parseJson } from '../http/json.ts';
import type { PollResult } from '../port.ts';
import type { Profile } from '../profile/profile.ts';
import { retryRead } from '../http/retry-read.ts';
import type { RetryContext, RetryPolicy } from '../http/retry-read.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import type { HttpClient } from '../http/http-client.ts';
import { causeOf } from '../http/http-errors.ts';

interface PollContext extends RetryContext {
  client: HttpClient;
  rules: Profile['analytics'];
  /** Path below the origin, with `{call_id}` in it. */
  path: string;
}

/** A look is repeated so often after a failure that passes, with these pauses: 0.2 to 0.4 s, 0.4 to 0.8 s. */
const RETRY: RetryPolicy = {
  retries: 2,
  firstPauseMs: 200,
  pauseOf: (error) => (error instanceof TransientFailure ? null : undefined),
};

/** Makes the function that looks at one call: see `VoiceService.readAnalytics`. */
export function createPoll(context: PollContext) {
  // Without it in the path, the body has it.
  const [before = '', after] = context.path.split('{call_id}');
  const { body, as } = context.rules;
  const reader = createAnalyticsReader(context.rules);
  return async (callId: string, signal?: AbortSignal): Promise<PollResult> => {
    const asked = {
      signal,
      path: after === undefined ? before : before + encodeURIComponent(callId) + after,
      body: body === undefined ? null : encodeBody(body.render({ call_id: callId }), as),
    };
    try {
      return await pollOnce(context, asked, reader);
    } catch (error) {
      const { closing } = context;
      const stopping = signal === undefined ? closing : AbortSignal.any([closing, signal]);
      return retried({ ...context, closing: stopping }, error, () =>
        pollOnce(context, asked, reader),
      );
    }
  };
}

async function retried(
  context: PollContext,
  failure: unknown,
  again: () => Promise<PollResult>,
): Promise<PollResult> {
  try {
    return await retryRead(context, RETRY, failure, again);
  } catch (error) {
    if (error instanceof TransientFailure) return error.look;
    throw error;
  }
}

/** A failure that may be over in a moment. */
class TransientFailure extends Error {
  readonly look: PollResult;

  constructor(look: PollResult) {
    super('a look failed');
    this.look = look;
  }
}

async function pollOnce(
  { client, rules, clock }: PollContext,
  {
    path,
    body,
    signal,
  }: { path: string; body: EncodedBody | null; signal?: AbortSignal | undefined },
  reader: AnalyticsReader,
): Promise<PollResult> {
  const request = () => `${rules.method} ${client.origin}${path}`;
  let answer: HttpAnswer;
  try {
    answer = await client.read(rules.method, path, body, signal);
  } catch (error) {
    const failure = failed(`${request()}: ${causeOf(error)}`, null);
    // It held a lane for long enough; the poller comes again by itself.
    if (isSilence(error)) return failure;
    throw new TransientFailure(failure);
  }
  const { status, text } = answer;
  if (rules.notYet.has(status)) return reader.readNotYet(parseJson(text));
  let why = '';
  if (status >= 200 && status < 300) {
    const reading = reader.read(parseJson(text), clock.now());
    if (reading.kind !== 'unreadable') return reading;
    why = `, but ${reading.why}`;
  }
  const detail = `${request()} was answered with HTTP ${status}${why}; received: ${excerptOf(answer) || 'an empty body'}`;
  if (status === 401 || status === 403) return { ...failed(detail, null), keyRefused: true };
  if (status !== 429 && status < 500) return { kind: 'unreadable', detail, raw: text };
  const waitMs = retryAfterMs(answer.retryAfter, clock.now());
  const failure = failed(detail, waitMs);
  // Who asks for time gets it from the poller, which can do something else meanwhile.
  if (status === 429 || waitMs !== null) return failure;
  throw new TransientFailure(failure);
}

function failed(detail: string, waitMs: number | null): PollResult & { kind: 'failed' } {
  return { kind: 'failed', detail, retryAfterMs: waitMs, keyRefused: false };
}
