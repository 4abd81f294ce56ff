import { isNotCalled, outcomeOf } from '../domain/outcome.ts';
import { DAY_MS, HOUR_MS } from '../domain/time-units.ts';
import type { VoiceService } from '../service/port.ts';
import type { OpenCall } from '../store/port.ts';
import { contradictionIn, settle, type SettleContext } from './settle.ts';

/** Which calls without a result are asked for again: `due`: those of a week, each at most once an hour. */
export type AskAgain = 'due' | 'all';

const ASKED_FOR_MS = 7 * DAY_MS;
/** So many calls are read at once. */
const AT_ONCE = 8;

export interface LateOptions extends Pick<SettleContext, 'store' | 'notify' | 'scheduler'> {
  campaignId: string;
  service: VoiceService;
  which: AskAgain;
  clock: { now(): number };
  signal: AbortSignal;
}

/** The earliest dial whose result is still asked for, epoch ms. */
export function askedSince(which: AskAgain, now: number): number {
  return which === 'all' ? 0 : now - ASKED_FOR_MS;
}

/**
 * Reads calls once more that were given up without a result: the profile may have been mended, or the service was late.
 * A result ends the lead as it would have then, and nobody is dialled again for it.
 *
 * @returns true: the service refused the key
 */
export async function askForLateResults(options: LateOptions): Promise<boolean> {
  const { store, service, campaignId, which, clock, signal } = options;
  const now = clock.now();
  const query = {
    ...{ campaignId, service: service.name, since: askedSince(which, now), limit: AT_ONCE },
    askedBefore: which === 'all' ? null : now - HOUR_MS,
  };
  for (let after: string | null = null; !signal.aborted;) {
    const calls: OpenCall[] = await store.lateCalls({ ...query, after });
    if (calls.length === 0) return false;
    const asked = await Promise.all(calls.map((call) => askOne(call, options)));
    if (asked.includes('key_refused')) return true;
    // The service cannot be read now: the rest is asked for the next time.
    if (asked.every((each) => each === 'failed')) return false;
    after = calls.at(-1)?.attemptId ?? null;
  }
  return false;
}

async function askOne(
  call: OpenCall,
  { store, service, clock, signal, notify, scheduler }: LateOptions,
): Promise<'asked' | 'failed' | 'key_refused'> {
  const polled = await service.readAnalytics(call.callId, signal, call);
  const at = clock.now();
  if (polled.kind === 'failed') return polled.keyRefused ? 'key_refused' : 'failed';
  const isResult =
    polled.kind === 'settled' &&
    contradictionIn(polled, call) === null &&
    !isNotCalled(outcomeOf(polled.analytics, polled.result).result);
  if (isResult) {
    const context = { store, notify, scheduler, now: at, onLineDown: () => undefined };
    await settle(call, polled, { ...context, isLate: true });
    return 'asked';
  }
  const { detail, raw } = polled.kind === 'unreadable' ? polled : { detail: null, raw: null };
  await store.recordPoll(call.attemptId, { kind: 'still_none', at, detail, raw });
  return 'asked';
}
