import { Agent, request } from 'undici';
import { createTestDelivery } from './delivery-protocol.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TookTooLong } from '../http/exchange.ts';
import type { Profile } from '../profile/profile.ts';
import { causeOf } from '../http/http-errors.ts';

/** What came back from a test delivery: an answer, or why there was none. */
export type TestAnswer = ({ status: number; text: string } | { status: null; why: string }) & {
  /** The inbox stores the delivery under one of these ids. */
  keys: readonly string[];
};

const TIMEOUT_MS = 10_000;
const LARGEST_ANSWER = 65_536;

/** Sends a delivery to `url` as the service would; follows no redirect, as services do not either. */
export async function sendTestDelivery(
  url: string,
  profile: Profile,
  secret: string | undefined,
  { id, clock }: { id: string; clock: Clock },
): Promise<TestAnswer> {
  const given = { id, now: clock.now(), url };
  const { body, headers, keys } = createTestDelivery(profile, secret, given);
  const late = new AbortController();
  // One time limit for the whole exchange, because undici's own limits start anew with every chunk.
  const cancel = clock.after(TIMEOUT_MS, () => {
    late.abort(new TookTooLong(TIMEOUT_MS));
  });
  const dispatcher = new Agent({
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LARGEST_ANSWER,
  });
  try {
    const { signal } = late;
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    return { status: answer.statusCode, text: await answer.body.text(), keys };
  } catch (error) {
    return { status: null, why: causeOf(error), keys };
  } finally {
    cancel();
    await dispatcher.destroy();
  }
}
