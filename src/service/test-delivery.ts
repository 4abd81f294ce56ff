import { Agent, request } from 'undici';
import { createTestDelivery } from './deliveries.ts';
import type { Profile } from './profile.ts';
import { causeOf } from './wire-errors.ts';

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
  { id, now }: { id: string; now: number },
): Promise<TestAnswer> {
  const { body, headers, keys } = createTestDelivery(profile, secret, { id, now, url });
  const dispatcher = new Agent({
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: LARGEST_ANSWER,
  });
  try {
    const answer = await request(url, { method: 'POST', headers, body, dispatcher });
    return { status: answer.statusCode, text: await answer.body.text(), keys };
  } catch (error) {
    return { status: null, why: causeOf(error), keys };
  } finally {
    await dispatcher.destroy();
  }
}
