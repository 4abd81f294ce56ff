import { Agent, request } from 'undici';
import { createTestDelivery } from './deliveries.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TookTooLong } from '../http/exchange.ts';
import type { Profile } from '../profile/profile.ts';
import { causeOf } from '../http/http-errors.ts';

/** What came back of a delivery of our own: an answer, or why there was none. */
export type TestAnswer = ({ status: number; text: string } | { status: null; why: string }) & {
  /** Under one of these the inbox keeps it. */
  keys: readonly string[];
};

const TIMEOUT_MS = 10_000;
const LARGEST_ANSWER = 65_536;

/** Sends a delivery as the service would, to `url`; no redirect is followed, as services follow none. */
export async function sendTestDelivery(
  url: string,
  profile: Profile,
  secret: string | undefined,
  { id, clock }: { id: string; clock: Clock },
): Promise<TestAnswer> {
  const given = { id, now: clock.now(), url };
  const { body, headers, keys } = createTestDelivery(profile, secret, given);
  const late = new AbortController();
  // For all of it: what drips is in time for each of undici's own limits.
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
