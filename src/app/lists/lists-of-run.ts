import { AppError, messageOf } from '../../runtime/errors.ts';
import { asSentence } from '../../text/plural.ts';
import { commitPlan } from '../plan/commit-plan.ts';
import { withPlan, type PlanRequest } from '../plan/plan.ts';
import type { World } from '../world.ts';
import type { TakingCampaign } from './import-staged.ts';
import { createListWatch } from './list-watch.ts';
import { LOOK_AGAIN_MS } from './watch-openings.ts';

/**
 * Takes the lists of a campaign's folders, globs and addresses before its run, and then runs it; a new campaign is made
 * for that, and calls nobody. For a campaign without such places nothing is done beforehand.
 *
 * @throws AppError those of `withPlan` and `commitPlan`
 */
export async function withListsTaken<T>(
  request: PlanRequest & { add: boolean; again: boolean },
  world: World,
  run: () => Promise<T>,
): Promise<T> {
  if (await mayHaveSources(request, world)) await takeLists(request, world);
  return run();
}

/** A cheap look at the settings alone; whatever is wrong with the request is told by the run itself. */
async function mayHaveSources(request: PlanRequest, world: World): Promise<boolean> {
  const quiet = { ...world, tell: () => undefined };
  try {
    return await withPlan(
      request,
      quiet,
      'look',
      ({ resolved }) => Promise.resolve(resolved.settings.sources !== undefined),
      () => Promise.resolve(undefined),
    );
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function takeLists(
  request: PlanRequest & { add: boolean; again: boolean },
  world: World,
): Promise<void> {
  const { add, again } = request;
  await withPlan(request, world, 'change', async (plan) => {
    const options = { add, again, yes: false, purpose: 'import' } as const;
    const { store, campaign } = await commitPlan(plan, options, world);
    if (campaign.state === 'cancelled') return;
    const live = plan.opened.config.live;
    await createListWatch({ world, stop: world.underway?.signal }).look({ store, campaign, live });
  });
}

/** Looks every minute during a run, if the campaign is watched. */
export function watchWhile(of: TakingCampaign, world: World) {
  const ended = new AbortController();
  const { sources } = of.campaign.settings;
  const watch = createListWatch({ world, stop: ended.signal });
  const looking = (async () => {
    if (sources?.watch !== true) return;
    while (!ended.signal.aborted) {
      await world.clock.sleep(LOOK_AGAIN_MS, ended.signal);
      if (ended.signal.aborted) return;
      await watch.look(of).catch((error: unknown) => {
        world.tell(`No lists are taken: ${asSentence(messageOf(error))}`, 'problem');
        world.keepStack(error);
      });
    }
  })();
  return {
    stop: async (): Promise<void> => {
      ended.abort();
      await looking;
    },
  };
}
