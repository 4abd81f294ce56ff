import type { CampaignState } from '../../domain/campaign.ts';
import { type AppError, usageError } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { databasePlaces, openToWrite, withCampaign } from '../places/databases.ts';
import { namesIn, someOf } from '../places/unknown-campaign.ts';
import type { World } from '../world.ts';

interface PauseRequest {
  /** Undefined: `all` of those that run. */
  campaign?: string | undefined;
  all: boolean;
  db?: string | undefined;
}

interface Paused {
  campaign: string;
  state: CampaignState;
  /** Calls in progress; null: it was not looked at, as nothing is changed. */
  held: number | null;
  changed: boolean;
}

/**
 * Starts no new call in one campaign, or in all that run; calls in progress end by themselves.
 *
 * @throws AppError `USAGE`, `CAMPAIGN_UNKNOWN` (exit 2)
 */
export async function pauseCampaigns(request: PauseRequest, world: World): Promise<Paused[]> {
  const { campaign: name, all } = request;
  if (all === (name !== undefined)) throw await oneOrAll(request, world);
  if (name !== undefined) {
    return withCampaign(name, request, world, 'write', async (store, campaign) => [
      await pauseOne(store, campaign, world),
    ]);
  }
  const paused: Paused[] = [];
  for (const { path } of databasePlaces(request, world)) {
    const store = openToWrite(path, world);
    try {
      for (const campaign of await store.listCampaigns())
        if (campaign.state === 'running') paused.push(await pauseOne(store, campaign, world));
    } finally {
      await store.close();
    }
  }
  if (paused.length === 0) world.tell('No campaign is running; `callsheet list` shows them all.');
  return paused;
}

async function oneOrAll(request: PauseRequest, world: World): Promise<AppError> {
  const { campaign } = request;
  if (campaign !== undefined) {
    const one = shellWord(campaign);
    const message = `Both "${campaign}" and --all are given; it is one or the other.`;
    return usageError(
      'USAGE',
      message,
      `\`callsheet pause ${one}\` pauses that one, \`callsheet pause --all\` every running one`,
    );
  }
  const places = databasePlaces(request, world);
  const names = (await Promise.all(places.map(({ path }) => namesIn(path, 'running')))).flat();
  const running = names.length === 0 ? 'no campaign is running' : `running are ${someOf(names)}`;
  return usageError(
    'USAGE',
    `Name one campaign, or give --all; ${running}.`,
    '`callsheet list` shows all campaigns',
  );
}

async function pauseOne(store: Store, campaign: Campaign, world: World): Promise<Paused> {
  const { id, name, state, pauseReason } = campaign;
  if (state === 'completed' || state === 'cancelled' || pauseReason === 'operator') {
    world.tell(`Campaign "${name}" is ${state}; nothing is called anyway.`);
    return { campaign: name, state, held: null, changed: false };
  }
  await store.changeCampaign(
    id,
    { pause: { reason: 'operator', detail: `paused by ${world.user}` } },
    { at: world.clock.now(), who: world.user, what: 'campaign.paused', detail: { before: state } },
  );
  const { held } = await store.progress(id, world.clock.now());
  world.tell(
    `Campaign "${name}" is paused: no new call is started.${inProgress(held)} \`callsheet resume ${shellWord(name)}\` goes on.`,
  );
  return { campaign: name, state: 'paused', held, changed: true };
}

/** The service offers no hang-up. */
export function inProgress(held: number): string {
  if (held === 0) return '';
  return held === 1
    ? ' 1 call in progress ends by itself.'
    : ` ${counted(held, 'call')} in progress end by themselves.`;
}
