import type { CallListing, ListedCall, VoiceService } from '../../../src/service/port.ts';
import type { Scene } from '../campaign-run.ts';

export interface ListingService {
  service: VoiceService;
  /** Every list that was asked for. */
  lists: { since: number; at: number; doneAt: number }[];
}

export interface ListingOptions {
  /** How long a list takes, ms. Default 10. */
  listMs?: number;
  /** What a list says of the dials that made its calls. Default `nothing`. */
  names?: 'keys' | 'numbers' | 'nothing';
}

/**
 * The service of a scene, with a list of calls.
 *
 * @param answer what the n-th list (from 0) is, given what a true one would be; default: the true one
 */
export function withCallList(
  { service, clock }: Scene,
  answer: (calls: ListedCall[], n: number) => CallListing = truly,
  { listMs = 10, names = 'nothing' }: ListingOptions = {},
): ListingService {
  const lists: ListingService['lists'] = [];
  const read = async ({ since }: { since: number }) => {
    const list = { since, at: clock.now(), doneAt: Infinity };
    const n = lists.push(list) - 1;
    await clock.sleep(listMs);
    list.doneAt = clock.now();
    const listed = service.calls
      .filter(({ startedAt }) => startedAt >= since)
      .map(({ callId, phone, startedAt, dial }): ListedCall => {
        const { agent } = dial;
        const attemptKey = names === 'keys' ? dial.attemptKey : null;
        return { callId, phone, startedAt, attemptKey, agent, found: service.truth(callId) };
      });
    return answer(listed, n);
  };
  const callList = { read, tellsOfDials: names !== 'nothing' };
  const listing = new Proxy<VoiceService>(service, {
    get: (target, name) => {
      if (name === 'callList') return callList;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { service: listing, lists };
}

function truly(calls: ListedCall[]): CallListing {
  return { kind: 'listed', calls, complete: true };
}
