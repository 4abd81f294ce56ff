import type { CallFeed } from '../../collect/polling/poller.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { NoticeWatch } from '../notices/watch.ts';
import { requireOutput } from '../places/output-file.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { unfinishedImport, unfinishedSentence } from '../plan/unfinished-import.ts';
import { outputsOf, replaceOnce, resultsFile } from '../results/results-file.ts';
import type { NoticeEvent, RunBounds, StopSignals } from '../run/run-events.ts';
import { openingLines } from '../sentences/hours-lines.ts';
import type { OpenService } from '../services/service.ts';
import type { Listener } from '../webhooks/webhook-listener.ts';
import type { World } from '../world.ts';

/** What the parts of a server are given, and what it reports. */

export type ServeEvent =
  /** Serving has begun: a stop is reported from now on. */
  | { is: 'begun' }
  /** Webhooks are received from now on. */
  | { is: 'listening'; addresses: Listener['addresses'] }
  /** Calls of a campaign may begin now or, by the hours, at `opensAt` (epoch ms). */
  | { is: 'calling'; campaign: Campaign; bounds: RunBounds; opensAt: number | null }
  /** `campaign` is a name; it is empty for a notice about a delivery. */
  | (NoticeEvent & { campaign: string });

export interface ServeWatch {
  log: Log;
  stop: StopSignals;
  onEvent: (event: ServeEvent) => void;
}

export interface ServeOptions extends ServeWatch {
  store: Store;
  feed: CallFeed;
  noticeWatch: NoticeWatch;
  /** Aborts when the database is lost, with the error as its reason; serving ends then. */
  lost?: AbortSignal;
  /** Called whenever the campaigns are looked over. */
  onRound?: () => void;
  /** See `TakingCampaign`. */
  services?: string | undefined;
  /** A service's client, opened at its first use; undefined when that failed, which has been reported. */
  open: (service: string) => Promise<OpenService | undefined>;
}

/** Tells what keeps a campaign from being called. @param reason a word for programs */
export type TellProblem = (campaign: Campaign, reason: string, sentence: string) => void;

/** Whether imports allow `serve` to call. A broken-off import is reported once; one in progress is waited for. */
export function checkImports(store: Store, problem: TellProblem, world: World) {
  /** The import that was reported last, by campaign. */
  const told = new Map<string, string>();
  return async (campaign: Campaign) => {
    const { id, name } = campaign;
    const open = (await store.lists(id)).find(({ finishedAt }) => finishedAt === null);
    if (open === undefined) return true;
    // A broken-off import stays so until a process continues it, so its file is not read again and again.
    const broken = `${open.id} broken off by ${JSON.stringify(open.importer)}`;
    if (told.get(id) === broken) return false;
    const found = await unfinishedImport(store, campaign, world);
    if (found === undefined) return true;
    const goesOn = found.is === 'going_on';
    const now = goesOn ? `${open.id} goes on` : broken;
    if (told.get(id) !== now) {
      const sentence = unfinishedSentence(found, campaign);
      if (goesOn) world.tell(`${name}: ${sentence}`);
      else problem(campaign, 'import', sentence);
    }
    told.set(id, now);
    return goesOn;
  };
}

/** Whether `serve` may write results. If not, nobody is called, and the reason is reported once. */
export function checkResults(store: Store, problem: TellProblem, world: World) {
  const told = new Map<string, string>();
  return async (campaign: Campaign) => {
    const { id, name } = campaign;
    const file = resultsFile(campaign, store.folder, world.clock.now());
    if (file === '-') return true;
    try {
      for (const path of outputsOf(file, campaign.settings))
        await requireOutput(path, { store, force: false, hint: replaceOnce(name) }, world);
      told.delete(id);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const why = `${error.message} Nobody is called until then: ${error.hint ?? ''}.`;
      if (told.get(id) !== why) problem(campaign, 'results', why);
      told.set(id, why);
      return false;
    }
  };
}

/**
 * Tells of people whose hours never open, once for the same rules. A run goes on waiting for them, as only `set` can
 * open their hours.
 */
export function neverOpen(store: Pick<Store, 'placesOf'>, world: World) {
  /** The rules that were looked at last, by campaign. */
  const seen = new Map<string, string>();
  const look = async (campaign: Campaign): Promise<void> => {
    const { id, name, settings } = campaign;
    const rules = JSON.stringify(settings.policy ?? null);
    if (seen.get(id) === rules) return;
    seen.set(id, rules);
    const hours = await openHoursOf(campaign, store, world.clock.now());
    for (const line of openingLines({ ...hours, next: null }, campaign))
      world.tell(`${name}: ${line}`, 'problem');
  };
  return {
    /** Called before a run, once it is known where people are. */
    begins: look,
    /** Called again and again during a run: looks at people only when the rules have changed. */
    goesOn: async (campaign: Campaign): Promise<void> => {
      if (seen.has(campaign.id)) await look(campaign);
    },
  };
}
