import { invalidFlag } from '../../config/hints.ts';
import type { ImportReport } from '../../leads/import.ts';
import type { Agent } from '../../service/port.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { requireLists } from '../places/list-or-campaign.ts';
import { whoWorks } from '../run/who-works.ts';
import { askForAgent, type Beginning } from '../services/check-agent.ts';
import type { World } from '../world.ts';
import { commitPlan } from './commit-plan.ts';
import { giveUpImport } from './give-up-import.ts';
import { makePlan, type PlanRequest } from './plan.ts';
import { returnLeads } from './returning-people.ts';
import { confirmSync, syncKnown } from './sync.ts';

interface ImportRequest extends PlanRequest {
  /** A list that another campaign has, too, may come in. */
  again: boolean;
  /** The list is complete: who waits and is not on it leaves. */
  sync: boolean;
  /** Many may leave by `sync` without a question. */
  yes: boolean;
}

/** What an import has done. */
export interface ImportDone {
  campaign: Campaign;
  waiting: number;
  /** Who waited and left; who had left and waits again. */
  left: number;
  back: number;
  /** Paths of lists that were in already. */
  known: string[];
  reports: ImportReport[];
}

/**
 * Brings a list into a campaign, new or not, without calling anybody.
 *
 * @throws AppError as `requireLists`, `makePlan` and `commitPlan`, and `NOT_CONFIRMED` (exit 2)
 */
export async function importInto(request: ImportRequest, world: World): Promise<ImportDone> {
  requireLists(request.list, world.cwd);
  const { sync, yes, again, instead } = request;
  const plan = await makePlan(request, world, 'change', askForNew);
  try {
    if (sync) {
      // A broken export must not take everybody out of the campaign, nor one that was cut short.
      if (plan.phones.size === 0) throw emptySync();
      await confirmSync(plan, yes, world);
    }
    if (instead === true) await giveUpImport(plan, world);
    if (plan.surveys.length === 0)
      world.tell(`All of ${request.list} is in "${plan.name}" already.`);
    const options = { add: true, yes: false, again, purpose: 'import', sync } as const;
    const done = await commitPlan(plan, options, world);
    const { store, campaign, reports } = done;
    const left = done.left + (sync ? await syncKnown(plan, store, campaign, world) : 0);
    const back = done.back + (await returnLeads(store, campaign, plan.phones, world));
    const { waiting } = await store.progress(campaign.id, world.clock.now());
    world.tell(await nextStep(store, campaign, waiting, world));
    const known = plan.known.map(({ path }) => path);
    return { campaign, waiting, left, back, known, reports };
  } finally {
    await plan.close();
  }
}

/** A campaign that exists takes rows whether or not its service answers. */
async function askForNew(beginning: Beginning, world: World): Promise<Agent | null | undefined> {
  return beginning.campaign === undefined ? askForAgent(beginning, world) : undefined;
}

function emptySync() {
  return invalidFlag(
    '--sync needs a list with good rows: this one has none, and would cancel everybody.',
  );
}

async function nextStep(store: Store, campaign: Campaign, waiting: number, world: World) {
  const { id, name, state, pauseReason } = campaign;
  const { calls } = whoWorks(await store.runners(id), world);
  const next =
    state === 'running' && calls !== null
      ? `the runner (${calls}) calls them`
      : `\`callsheet ${pauseReason === 'operator' ? 'resume' : 'run'} ${shellWord(name)}\` calls them`;
  const wait = waiting === 1 ? 'waits' : 'wait';
  return `Campaign "${name}" (${state}): ${counted(waiting, 'lead')} ${wait}; ${next}.`;
}
