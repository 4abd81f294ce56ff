import { shareOfWork } from './domain/polling/shares.ts';
import { Lanes } from './runtime/lanes.ts';
import {
  createPollScheduler,
  Poller,
  type CallFeed,
  type PollEnd,
} from './collect/polling/poller.ts';
import { askForLateResults, type AskAgain } from './collect/settle.ts';
import type { SearchLog } from './collect/polling/list-evidence.ts';
import { sweep, sweepUntil, type SweepOptions } from './collect/sweeper.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { pauseCampaign } from './dispatch/place-call.ts';
import {
  PresentSettings,
  type DispatchEnd,
  type DispatcherOptions,
} from './dispatch/dispatcher-options.ts';
import type { VoiceService } from './service/port.ts';
import { patientStore } from './store/patient-store.ts';

export interface RunOptions extends Omit<
  DispatcherOptions,
  'settings' | 'service' | 'serviceSlots' | 'lanes' | 'scheduler' | 'onPlaced'
> {
  /** Where calls are placed (`maxCalls`: at most, over all campaigns; null: no limit); null: this run only collects. */
  dialAt: { service: VoiceService; maxCalls: number | null } | null;
  /** Which calls without a result are asked for again; left out: none. */
  askAgain?: AskAgain | undefined;
  /** Every service at which this campaign has open calls, and the one that is dialled. */
  collectFrom: VoiceService[];
  /** Passes on what webhooks report of this campaign's calls; left out: no webhooks are received. */
  feed?: CallFeed | undefined;
  /** Which calls in doubt were searched for, shared by all runs of this process. Default: this run's own. */
  searches?: SearchLog | undefined;
  /** Aborts when dialling shall stop; calls in progress are still collected. */
  stopDialling: AbortSignal;
  /** Aborts when everything shall stop at once. */
  stop: AbortSignal;
}

export interface RunEnd {
  /** Why dialling ended; null when nothing was dialled. */
  dispatch: DispatchEnd | null;
  /** When to run again, epoch ms, if dialling ended because leads or the service need a longer wait; else null. */
  nextAt: number | null;
  /** False when calls are still open: the next `run` or `collect` reads their results. */
  drained: boolean;
  /** The service refused the key when calls were read. */
  keyRefused: boolean;
}

/** The whole campaign: leads in the store -> calls at the service -> analytics in the store. */
export async function runCampaign(given: RunOptions): Promise<RunEnd> {
  const options = { ...given, store: patientStore(given.store, given) };
  const { campaign, collectFrom, dialAt, stop } = options;
  const settings = new PresentSettings(options);
  const lanes = new Lanes(settings.requests);
  settings.onChange(({ requests }) => lanes.resize(requests));
  const scheduler = await createPollScheduler(options);
  const halt = new AbortController();
  const keyRefused = new AbortController();
  const over = new AbortController();

  const work = shareOfWork(options.owner);
  const sweptFor: SweepOptions = {
    ...options,
    onRunners: (runners) => work.heard(runners, options.clock.monotonic()),
  };
  await sweep(sweptFor);
  const onPollDue = (at: number) => {
    for (const poller of pollers) poller.expect(at);
  };
  const dispatcher =
    dialAt === null
      ? undefined
      : new Dispatcher({
          ...options,
          settings,
          service: dialAt.service,
          serviceSlots: dialAt.maxCalls,
          lanes,
          scheduler,
          onPlaced: onPollDue,
        });
  let pausing: Promise<void> | undefined;
  const onLineDown = () => dispatcher?.slotFreed();
  const pollers = collectFrom.map(
    (service) =>
      new Poller({
        ...options,
        service,
        campaignId: campaign.id,
        reconcileForMs: campaign.settings.reconcileForMs,
        scheduler,
        lanes,
        share: () => work.share,
        onLineDown,
        onBackoff: (ms) => {
          if (service.name === dialAt?.service.name) dispatcher?.gate.backOff(ms);
        },
        onKeyRefused: (detail) => {
          options.notify({ event: 'key.refused', service: service.name, detail });
          // Calls placed with a key that is refused could never be read: nobody is called with it.
          if (service.name !== dialAt?.service.name) return;
          const why = `The service refused the key: calls cannot be read. ${detail}`;
          pausing = pauseCampaign(options, { reason: 'key', detail: why });
          pausing.catch(() => undefined);
          keyRefused.abort();
        },
        onFailing: (detail) => {
          if (service.name === dialAt?.service.name) dispatcher?.gate.suspect(detail);
        },
      }),
  );

  const listener = { scheduler, onLineDown, onPollDue };
  options.feed?.set(campaign.id, listener);
  const sweeping = sweepUntil(over.signal, sweptFor, onLineDown);
  const looking = settings.keepLooking(over.signal);
  const late = async (service: VoiceService): Promise<PollEnd> => {
    const which = options.askAgain;
    if (which === undefined) return { drained: true, keyRefused: false };
    const signal = AbortSignal.any([stop, halt.signal]);
    const asked = { ...options, service, scheduler, which, signal, campaignId: campaign.id };
    return { drained: true, keyRefused: await askForLateResults(asked) };
  };
  const polling = pollers.map((poller) => poller.run(AbortSignal.any([stop, halt.signal])));
  const collects = [...polling, ...collectFrom.map(late)];
  const collecting = allEnded(collects);
  const stopDialling = [options.stopDialling, stop, halt.signal, keyRefused.signal];
  const dispatching = dispatcher?.run(AbortSignal.any(stopDialling)) ?? Promise.resolve(null);
  // A failure of one of these tasks stops the others: each finishes what is in flight, then the failure is thrown.
  for (const side of [...collects, collecting, dispatching, sweeping, looking]) {
    side.catch(() => halt.abort());
  }
  try {
    const dispatch = await dispatching;
    // From now on, this process only collects; until the next heartbeat, others would say that it calls.
    sweptFor.dialAt = null;
    if (!halt.signal.aborted)
      await options.store.runnerSeen(campaign.id, options.owner, options.clock.now(), false);
    for (const poller of pollers) poller.drain();
    const ends = await collecting;
    await pausing;
    over.abort();
    await Promise.all([sweeping, looking]);
    return {
      dispatch,
      nextAt: await nextCallAt(options, dispatch, dispatcher?.next ?? null),
      drained: ends.every((end) => end.drained),
      keyRefused: ends.some((end) => end.keyRefused),
    };
  } finally {
    await Promise.allSettled([dispatching, collecting]);
    if (options.feed?.get(campaign.id) === listener) options.feed.delete(campaign.id);
    over.abort();
    // A failure of these must not hide what dialling or collecting threw.
    await Promise.allSettled([sweeping, looking]);
  }
}

/** Waits for all of them, also when one fails: another may still write. @throws the first failure */
async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/**
 * When to run again. Calls that were open when dialling ended may have ended since then, and their leads may be called
 * again sooner than those that waited then.
 */
async function nextCallAt(
  { store, campaign, clock }: Pick<RunOptions, 'store' | 'campaign' | 'clock'>,
  dispatch: DispatchEnd | null,
  next: Dispatcher['next'],
): Promise<number | null> {
  if (next?.forAll === true) return next.at;
  if (dispatch !== 'later' && dispatch !== 'shut') return null;
  const { nextDueAt } = await store.progress(campaign.id, clock.now());
  if (nextDueAt === null) return next?.at ?? null;
  return Math.min(nextDueAt, next?.at ?? Infinity);
}
