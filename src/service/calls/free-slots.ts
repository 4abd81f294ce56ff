import { encodeBody } from '../http/body.ts';
import { isSuccess } from '../http/exchange.ts';
import { parseJson } from '../http/json.ts';
import type { Profile } from '../profile/profile.ts';
import { asNumber, firstOf, scopesOf, type OnFound } from '../profile/read-fields.ts';
import type { HttpClient } from '../http/http-client.ts';

type Rules = NonNullable<Profile['slots']>;

/**
 * Makes the function that asks how many calls may be started now: see `VoiceService.freeSlots`.
 *
 * @param path below the origin
 */
export function createSlotReader(
  client: Pick<HttpClient, 'read'>,
  rules: Rules,
  path: string,
): () => Promise<number | null> {
  const isPost = rules.method === 'POST';
  return async () => {
    const body = isPost ? encodeBody(rules.body?.render({}) ?? {}, rules.as) : null;
    try {
      const { status, text } = await client.read(rules.method, path, body);
      return isSuccess(status) ? freeSlotsIn(parseJson(text), rules) : null;
    } catch {
      // The dispatcher can do without the number: if it dials too often, the service refuses the dial, which is handled
      // too.
      return null;
    }
  };
}

/** @returns an integer of 0 or more; null if the answer has no such number */
export function freeSlotsIn(answer: unknown, rules: Rules, onFound?: OnFound): number | null {
  const free = firstOf(scopesOf(answer, rules.within, onFound), rules.free, asNumber) ?? null;
  return free === null ? null : Math.max(0, Math.floor(free));
}
