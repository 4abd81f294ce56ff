import { onTheLine, situationOf, type Situation } from '../../domain/situation.ts';
import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { shellWord } from '../../text/wording.ts';
import { budgetOf } from '../nights/budgets.ts';
import type { Campaign } from '../../store/port.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { openHoursOf } from '../plan/planned-hours.ts';
import { callableTimes, expectedSince } from '../plan/schedule-times.ts';
import { unfinishedImport, unfinishedSentence } from '../plan/unfinished-import.ts';
import { situationText, type CampaignRead, type SeenEnd } from '../sentences/situations.ts';
import { mostCallsAt } from '../services/known-services.ts';
import { suppressionHoldsUntil } from '../suppression/suppression-age.ts';
import { whoWorks } from './run-events.ts';

/** A campaign at `now`, and what that means. */
export interface CampaignView extends CampaignRead {
  situation: Situation;
  exit: ExitReason;
  /** The command that a person gives next; null: none. */
  todo: string | null;
  /** The unfinished import that keeps the campaign from being called, as a sentence; null: none. */
  heldUpBy: string | null;
}

/** What a campaign's situation means, in sentences, and the exit code for it. */
export interface ExitReason {
  code: ExitCode;
  why: string;
  /** See `Situation.until`. */
  nextAt: number | null;
  /** What a person is needed for, as a word for programs, e.g. `doubts`; left out: nobody is. */
  attention?: string | undefined;
}

/**
 * Reads what is going on in a campaign, and judges it.
 *
 * @param end what the run that has just ended saw
 * @param slots as `serviceSlots` in `ClaimRequest`; default: looked up where other campaigns alone may hold them
 */
export async function viewOf(
  { store, campaign, world }: OpenCampaign,
  end: SeenEnd = {},
  slots?: number | null,
): Promise<CampaignView> {
  const now = world.clock.now();
  const { id, state, service, settings } = campaign;
  const found = whoWorks(await store.runners(id), world);
  const { calledBy = null } = end;
  const works = calledBy === null ? found : { ...found, runner: calledBy, calls: calledBy };
  const holdsUntil = state === 'running' ? await suppressionHoldsUntil(campaign, store) : Infinity;
  const progress = await store.progress(id, now);
  const isIdle = works.calls !== null && progress.waiting > 0 && onTheLine(progress) === 0;
  const serviceSlots = slots ?? (isIdle ? mostCallsAt(service, world) : null);
  // Who calls at once does not wait for the schedule.
  const isScheduled = settings.schedule !== undefined && state === 'running';
  const times =
    isScheduled && works.calls === null
      ? callableTimes(settings, expectedSince(await store.history(id)), now)
      : undefined;
  return judged({
    ...{ now, campaign, progress, works, serviceSlots },
    unfinished: state === 'cancelled' ? undefined : await unfinishedImport(store, campaign, world),
    hours: await openHoursOf(campaign, store, now, times),
    budget: await budgetOf(campaign, store, now),
    gates: await store.claimGates({ campaignId: id, serviceSlots, now }),
    failing: works.since === null ? null : await failingSince({ store, campaign }, works.since),
    isListTooOld: end.suppressionTooOld === true || now >= holdsUntil,
    end,
  });
}

/** Whether the service fails the process that began at `since`, which is in the history. */
async function failingSince(
  { store, campaign }: Pick<OpenCampaign, 'store' | 'campaign'>,
  since: number,
): Promise<CampaignRead['failing']> {
  const history = await store.history(campaign.id);
  const last = history.findLast(({ what }) => what.startsWith('service.'));
  if (last?.what !== 'service.failing' || last.at < since) return null;
  return { since: last.at, why: String(last.detail['why']) };
}

/** With a word in capitals for what only the person knows. */
function commandFor(todo: string, { name }: Campaign): string {
  if (todo.includes('FILE')) return `callsheet ${todo}`;
  const more = { set: ' KEY=VALUE', import: ' LIST' }[todo] ?? '';
  return `callsheet ${todo} ${shellWord(name)}${more}`;
}

export function judged(read: CampaignRead): CampaignView {
  const { campaign, hours, budget, works, unfinished } = read;
  const limit = budget === null || budget.more > 0 ? null : budget.limit;
  const situation = situationOf({
    ...read,
    ...campaign,
    works: works.calls !== null ? 'calls' : works.runner !== null ? 'collects' : 'nobody',
    unfinished: unfinished?.is ?? null,
    hours: { now: hours.now, later: hours.later, nextAt: hours.next?.at ?? null },
    budget: limit && { until: limit.until, goesOnAt: budget?.goesOnAt ?? null },
    isFailing: read.failing !== null,
  });
  const { exit, todo, until, attention } = situation;
  return {
    ...read,
    situation,
    exit: {
      code: EXIT[exit],
      why: situationText(read, situation),
      nextAt: until,
      ...(attention !== null && { attention }),
    },
    heldUpBy: unfinished === undefined ? null : unfinishedSentence(unfinished, campaign),
    todo: todo && commandFor(todo, campaign),
  };
}
