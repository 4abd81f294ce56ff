import type { Notify } from './runtime/notice.ts';
import type { Clock } from './runtime/clock.ts';
import { Lanes } from './runtime/lanes.ts';
import type { CallFeed } from './collect/polling/call-feed.ts';
import { planPolls } from './collect/polling/plan-polls.ts';
import { Poller, type PollEnd } from './collect/polling/poller.ts';
import type { SearchLog } from './collect/polling/search-log.ts';
import { sweep, sweepUntil } from './collect/sweeper.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import type { DispatchEnd } from './dispatch/dispatcher-options.ts';
import type { VoiceService } from './service/port.ts';
import { patientStore } from './store/patient.ts';
import type { Campaign, Owner, Store } from './store/port.ts';

export interface RunOptions {
  store: Store;
  campaign: Campaign;
  /** Where calls are placed; null: this run only collects. */
  dialAt: { service: VoiceService; maxCalls: number | null } | null;
  /** Every service at which this campaign has open calls, and the one that is dialled. */
  collectFrom: VoiceService[];
  clock: Clock;
  owner: Owner;
  isGone: (owner: Owner) => boolean;
  /** Stop after so many dials; null: no limit. */
  limit: number | null;
  /** No dial after this (epoch ms); null: none. */
  until: number | null;
  /** Stay for leads that are due up to this time (epoch ms); null: short waits only. */
  waitUntil: number | null;
  notify: Notify;
  /** Brings what webhooks told of this campaign's calls; left out: nobody listens. */
  feed?: CallFeed | undefined;
  /** Which calls in doubt were looked for, of all runs in this process. Default: of this one. */
  searches?: SearchLog | undefined;
  /** Aborts when dialling shall stop; what is in progress is still collected. */
  stopDialling: AbortSignal;
  /** Aborts when everything shall stop at once. */
  stop: AbortSignal;
}

export interface RunEnd {
  /** Why dialling ended; null when nothing was dialled. */
  dispatch: DispatchEnd | null;
  /** Where the service asked for more time than is waited for: when to come again, epoch ms; else null. */
  nextAt: number | null;
  /** False when calls are still open: `collect` brings them in later. */
  drained: boolean;
  keyRefused: boolean;
}

/** The whole campaign: leads in the store -> calls at the service -> analytics in the store. */
export async function runCampaign(given: RunOptions): Promise<RunEnd> {
  const options = { ...given, store: patientStore(given.store, given) };
  const { campaign, collectFrom, dialAt, stop } = options;
  const lanes = new Lanes(campaign.settings.requests);
  const plan = await planPolls(options);
  const halt = new AbortController();
  const keyRefused = new AbortController();
  const over = new AbortController();

  await sweep(options);
  let dispatcher: Dispatcher | undefined;
  const onLineDown = () => dispatcher?.slotFreed();
  if (dialAt !== null) {
    dispatcher = new Dispatcher({
      ...options,
      service: dialAt.service,
      serviceSlots: dialAt.maxCalls,
      lanes,
      plan,
      onPlaced: (at) => {
        for (const poller of pollers) poller.expect(at);
      },
    });
  }
  const pollers = collectFrom.map(
    (service) =>
      new Poller({
        ...options,
        service,
        campaignId: campaign.id,
        reconcileForMs: campaign.settings.reconcileForMs,
        plan,
        lanes,
        onLineDown,
        onBackoff: (ms) => {
          if (service.name === dialAt?.service.name) dispatcher?.backOff(ms);
        },
      }),
  );

  const unsubscribe = options.feed?.subscribe({
    campaignId: campaign.id,
    plan,
    onLineDown,
    onPollDue: (at) => {
      for (const poller of pollers) poller.expect(at);
    },
  });
  const atWork = { ...options };
  const sweeping = sweepUntil(over.signal, atWork, onLineDown);
  const collect = async (poller: Poller): Promise<PollEnd> => {
    const end = await poller.run(AbortSignal.any([stop, halt.signal]));
    // What is dialled there could not be read.
    if (end.keyRefused && poller.serviceName === dialAt?.service.name) keyRefused.abort();
    return end;
  };
  const collecting = Promise.all(pollers.map(collect));
  const stopDialling = [options.stopDialling, stop, halt.signal, keyRefused.signal];
  const dispatching = dispatcher?.run(AbortSignal.any(stopDialling)) ?? Promise.resolve(null);
  // What fails on one side ends the others: each finishes what is in flight, and the failure is told.
  for (const side of [collecting, dispatching, sweeping]) {
    side.catch(() => {
      halt.abort();
    });
  }
  try {
    const dispatch = await dispatching;
    // From now on it is told that this process only collects.
    atWork.dialAt = null;
    for (const poller of pollers) poller.drain();
    const ends = await collecting;
    over.abort();
    await sweeping;
    return {
      dispatch,
      nextAt: dispatcher?.nextAt ?? null,
      drained: ends.every((end) => end.drained),
      keyRefused: ends.some((end) => end.keyRefused),
    };
  } finally {
    await Promise.allSettled([dispatching, collecting]);
    unsubscribe?.();
    over.abort();
    // What dialling or collecting ended with is what is told.
    await Promise.allSettled([sweeping]);
  }
}
