import type { CampaignState } from '../../domain/campaign.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import { counted, someOf } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { DatabaseRequest } from '../places/database-place.ts';
import { databasePlaces, withCampaign, withStore, type OpenCampaign } from '../places/databases.ts';
import { MOST_NAMES, namesIn } from '../places/unknown-campaign.ts';
import { historyEntry, type World } from '../world.ts';

/** Either `campaign`, the name of one campaign, or `all` for every running one. */
type PauseRequest = DatabaseRequest & {
  campaign?: string | undefined;
  all: boolean;
  /** The version of the one campaign that was looked at; default: whichever it is. */
  ifVersion?: number | undefined;
};

interface Paused {
  campaign: string;
  state: CampaignState;
  /** Calls in progress; null: not counted, because nothing was changed. */
  held: number | null;
  changed: boolean;
}

/**
 * Pauses one campaign, or all that run: no new call starts, and calls in progress end by themselves.
 *
 * @throws AppError `USAGE`, `CAMPAIGN_UNKNOWN`, `CAMPAIGN_CHANGED` (exit 2)
 */
export async function pauseCampaigns(request: PauseRequest, world: World): Promise<Paused[]> {
  const { campaign: name, all } = request;
  if (all === (name !== undefined)) throw await oneOrAll(request, world);
  if (name !== undefined) {
    const one = { ...request, campaign: name };
    return withCampaign(one, world, 'write', async (open) => [
      await pauseOne(open, request.ifVersion),
    ]);
  }
  const paused: Paused[] = [];
  for (const { path } of databasePlaces(request, world)) {
    await withStore(path, 'write', world, async (store) => {
      for (const campaign of await store.listCampaigns())
        if (campaign.state === 'running') paused.push(await pauseOne({ store, campaign, world }));
    });
  }
  if (paused.length === 0) world.tell('No campaign is running; `callsheet list` shows them all.');
  return paused;
}

async function oneOrAll(request: PauseRequest, world: World): Promise<AppError> {
  const { campaign } = request;
  if (campaign !== undefined) {
    return usageError(
      'USAGE',
      `Both "${campaign}" and --all are given; it is one or the other.`,
      `\`callsheet pause ${shellWord(campaign)}\` pauses that one, \`callsheet pause --all\` every running one`,
    );
  }
  const places = databasePlaces(request, world);
  const names = (await Promise.all(places.map(({ path }) => namesIn(path, 'running')))).flat();
  const running =
    names.length === 0 ? 'no campaign is running' : `running: ${someOf(names, MOST_NAMES)}`;
  return usageError(
    'USAGE',
    `Name one campaign, or give --all; ${running}.`,
    '`callsheet list` shows all campaigns',
  );
}

async function pauseOne(
  { store, campaign, world }: OpenCampaign,
  ifVersion?: number,
): Promise<Paused> {
  const { id, name, state, pauseReason } = campaign;
  if (state === 'completed' || state === 'cancelled' || pauseReason === 'operator') {
    world.tell(`Campaign "${name}" is ${state}; it calls nobody anyway.`);
    return { campaign: name, state, held: null, changed: false };
  }
  await store.changeCampaign(
    id,
    { pause: { reason: 'operator', detail: `paused by ${world.user}` }, ifVersion },
    historyEntry(world, 'campaign.paused', { before: state }),
  );
  const { held } = await store.progress(id, world.clock.now());
  world.tell(
    `Campaign "${name}" is paused: no new call is started.${inProgress(held)} \`callsheet resume ${shellWord(name)}\` goes on.`,
  );
  return { campaign: name, state: 'paused', held, changed: true };
}

/** A sentence about calls in progress; the service has no hang-up, so they end by themselves. */
export function inProgress(held: number): string {
  if (held === 0) return '';
  return held === 1
    ? ' 1 call in progress ends by itself.'
    : ` ${counted(held, 'call')} in progress end by themselves.`;
}
