import type { CallListing, ListedCall, VoiceService } from '../../src/service/port.ts';
import type { Scene } from './campaign-run.ts';

export interface ListingService {
  service: VoiceService;
  /** Every list that was asked for. */
  lists: { since: number; at: number; doneAt: number }[];
}

/**
 * The service of a scene, with a list of calls.
 *
 * @param answer what the n-th list (from 0) is, given what a true one would be; default: the true one
 * @param listMs how long a list takes; default 10
 */
export function withCallList(
  { service, clock }: Scene,
  answer: (calls: ListedCall[], n: number) => CallListing = truly,
  listMs = 10,
): ListingService {
  const lists: ListingService['lists'] = [];
  const read = async ({ since }: { since: number }) => {
    const list = { since, at: clock.now(), doneAt: Infinity };
    const n = lists.push(list) - 1;
    await clock.sleep(listMs);
    list.doneAt = clock.now();
    const listed = service.calls
      .filter(({ startedAt }) => startedAt >= since)
      .map(({ callId, phone, startedAt }): ListedCall => {
        return { callId, phone, startedAt, attemptKey: null, look: service.truth(callId) };
      });
    return answer(listed, n);
  };
  const listing = new Proxy<VoiceService>(service, {
    get: (target, name) => {
      if (name === 'callList') return { read };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { service: listing, lists };
}

function truly(calls: ListedCall[]): CallListing {
  return { kind: 'listed', calls, complete: true };
}
