import { EXIT } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import { isGone } from '../../runtime/process.ts';
import { runCampaign, type RunEnd, type RunOptions } from '../../runner.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import type { MessageKind } from '../world.ts';
import { tellNotices } from '../../cli/print/notice-teller.ts';
import { asSentence, counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { listenForStop } from '../../cli/terminal/stop.ts';
import { suppressionHoldsUntil } from '../plan/suppression-age.ts';

export interface WatchedRun {
  store: Store;
  campaign: Campaign;
  run: Pick<RunOptions, 'dialAt' | 'collectFrom' | 'limit' | 'until' | 'waitUntil' | 'feed'>;
  log: Log;
  /** Told every sentence for the operator. */
  tell: (sentence: string, kind: MessageKind) => void;
  /** Clears up the display when Ctrl-C came twice. */
  beforeLeaving?: () => Promise<void>;
}

export interface WatchedEnd extends RunEnd {
  /** Ctrl-C came. */
  interrupted: boolean;
  /** Dialling ended as the suppression list has grown too old. */
  suppressionTooOld: boolean;
  /** It came twice: the command line has ended already, and nothing more is to be said or written. */
  left: boolean;
}

/** Runs a campaign with Ctrl-C, the log and the operator attached to it. */
export async function runWatched(
  { store, campaign, run, log, tell, beforeLeaving }: WatchedRun,
  world: World,
): Promise<WatchedEnd> {
  let leaving: Promise<void> | undefined;
  const stop = listenForStop(world.io, {
    tell,
    rest: `\`callsheet collect ${shellWord(campaign.name)}\` brings in what is open then.`,
    onSecond: () => {
      leaving ??= leave(store, campaign, beforeLeaving, world);
    },
  });
  let lookFailed = false;
  const notices = tellNotices({ campaign: campaign.name, log, tell }, world.clock);
  // What begins later than the word of the list holds is not begun: a run may stay for days.
  const holdsUntil = await suppressionHoldsUntil(campaign, store);
  try {
    const end = await runCampaign({
      ...run,
      until: Math.min(run.until ?? Infinity, holdsUntil),
      store,
      campaign,
      clock: world.clock,
      owner: world.owner,
      isGone: (owner) => isGone(owner, world.owner),
      notify: (notice) => {
        if (leaving !== undefined) return;
        notices.notify(notice);
        if (notice.event !== 'look.failed' || lookFailed) return;
        lookFailed = true;
        tell(
          `Analytics could not be read: ${asSentence(notice.detail)} Looks go on until the deadline; this is said once.`,
          'problem',
        );
      },
      stopDialling: stop.dialling,
      stop: stop.all,
    });
    return {
      ...end,
      interrupted: stop.dialling.aborted,
      suppressionTooOld: end.dispatch === 'until' && world.clock.now() >= holdsUntil,
      left: leaving !== undefined,
    };
  } finally {
    if (leaving === undefined) notices.flush();
    stop.forget();
    await leaving;
  }
}

async function leave(
  store: Store,
  campaign: Campaign,
  clearUp: WatchedRun['beforeLeaving'],
  world: World,
): Promise<void> {
  await clearUp?.();
  const { open } = await store.progress(campaign.id, world.clock.now());
  const collect = `\`callsheet collect ${shellWord(campaign.name)}\``;
  const rest =
    open === 0 ? 'no call is open' : `${collect} brings in ${counted(open, 'open call')}`;
  world.tell(`Left at once. Nothing is lost: ${rest}.`, 'problem');
  world.io.leave(EXIT.interrupted);
}
