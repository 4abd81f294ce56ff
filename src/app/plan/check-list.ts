import type { ServiceConfig } from '../../config/resolve-service.ts';
import { resolveSettings, type ResolvedSettings } from '../../config/settings.ts';
import { AppError } from '../../runtime/errors.ts';
import { counted } from '../../text/plural.ts';
import { shellWord } from '../../text/shell-word.ts';
import { homeOf } from '../places/home.ts';
import { locateDatabase } from '../places/database-place.ts';
import { findCampaign, openExisting } from '../places/databases.ts';
import { targetOf, type Target } from '../places/list-or-campaign.ts';
import { chooseService, knownServices } from '../services/service.ts';
import type { World } from '../world.ts';
import { nobodyToCall } from '../lists/refused-lists.ts';
import { AS_FOUND, listPaths, readLists, type PlannedLists } from './plan-lists.ts';
import type { PlanRequest } from './plan.ts';

/** The result of checking a list that cannot be called yet. */
export interface ListCheck {
  /** The list or campaign file, as given. */
  list: string;
  /** The name of the campaign that the list would become. */
  campaign: string;
  planned: PlannedLists;
  missing: Missing[];
  database: { path: string; exists: boolean };
  /** Set when nobody on the list can be called, or columns are undecided, whatever is added from `missing`. */
  problem: AppError | undefined;
}

/** An option that `run` would need and that was not given. */
interface Missing {
  /** The flag to give, e.g. `--agent ID`. */
  give: string;
  why: string;
}

/**
 * Examines a list that cannot be called yet because the service, its key or the agent are not chosen: what
 * is in the list, what would be called, and what is missing. Asks no service, needs no database, writes nothing.
 *
 * @returns undefined when nothing is missing, or when the request is not a list for a new campaign; then plan it
 *   instead
 * @throws AppError those of `readTarget`, `resolveSettings` and `readLists`
 */
export async function checkList(
  request: PlanRequest,
  world: World,
): Promise<ListCheck | undefined> {
  const asked = readAsked(request, world);
  const { list, input = AS_FOUND } = request;
  if (asked.missing.length === 0 || (asked.paths.length === 0 && request.lists === undefined))
    return undefined;
  if ((await findCampaign(asked.campaign, request, world)) !== undefined) return undefined;
  const { planned, database } = await readAlone(request, asked, world);
  const country = missingCountry(planned);
  const isHopeless = planned.surveys.every(({ good }) => good === 0) && country.length === 0;
  return {
    list,
    campaign: asked.campaign,
    planned,
    missing: [...asked.missing, ...country],
    database,
    problem: planned.undecided ?? (isHopeless ? nobodyToCall(planned.surveys, input) : undefined),
  };
}

/**
 * Reads lists as a new campaign would take them, whatever is chosen already. Asks no service, needs no database, writes
 * nothing; lists without anybody to call are read, too.
 *
 * @throws AppError those of `readTarget`, `resolveSettings` and `readLists`
 */
export async function surveyLists(request: PlanRequest, world: World): Promise<PlannedLists> {
  return (await readAlone(request, readAsked(request, world), world)).planned;
}

type Asked = ReturnType<typeof readAsked>;

function readAsked(request: PlanRequest, world: World) {
  const target = targetOf(request, world.cwd);
  const resolved = resolveSettings({
    ...request.given,
    cwd: world.cwd,
    file: target.file,
    home: homeOf(world).folder,
    // A service that is not chosen yet may call real people.
    defaults: { timezone: world.timezone, agent: NONE, live: true },
  });
  const paths = resolved.leads.length > 0 ? resolved.leads : target.lists;
  const campaign = resolved.name ?? target.name;
  return { resolved, paths, campaign, ...missingFor(resolved, target, request, world) };
}

async function readAlone(request: PlanRequest, { resolved, paths, config }: Asked, world: World) {
  const { input = AS_FOUND } = request;
  const place = locateDatabase(request, world, config?.simulated === true);
  const store = await openExisting(place, 'read', world);
  const undo = [async () => store?.close()];
  try {
    const live = config?.live === true;
    const reading = { live, input, store, campaign: undefined };
    const lists = request.lists ?? (await listPaths(paths, world, undo));
    const planned = await readLists(lists, resolved, reading, world);
    return { planned, database: { path: place.path, exists: store !== undefined } };
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Placeholder for an agent that was not named. */
const NONE = 'none';

function missingFor(
  resolved: ResolvedSettings,
  { file }: Target,
  request: PlanRequest,
  world: World,
): { config: ServiceConfig | undefined; missing: Missing[] } {
  const missing: Missing[] = [];
  let config: ServiceConfig | undefined;
  try {
    config = chooseService(request, world, { choice: resolved.service, beside: file?.folder });
  } catch (error) {
    missing.push(missingService(error, request, world));
  }
  if (config?.simulated !== true && resolved.settings.agent === NONE) {
    const from = request.service === undefined ? '' : ` --service ${shellWord(request.service)}`;
    const why = `who speaks; \`callsheet agents list${from}\` shows them`;
    missing.push({ give: '--agent ID', why });
  }
  return { config, missing };
}

function missingService(error: unknown, request: PlanRequest, world: World): Missing {
  const { code, message, hint = '' } = error instanceof AppError ? error : {};
  if (code === 'SERVICE_KEY_MISSING') return { give: 'the key', why: `${message} ${hint}`.trim() };
  if (code !== 'SERVICE_NOT_CHOSEN') throw error;
  const { path, entries } = knownServices(request, world);
  const why = `of ${path} (${[...entries.keys()].join(', ')}), or --service-url URL`;
  return { give: '--service NAME', why };
}

function missingCountry({ surveys }: PlannedLists): Missing[] {
  const rows = surveys.reduce((sum, { byReason }) => sum + (byReason.no_country ?? 0), 0);
  if (rows === 0) return [];
  const have = counted(rows, 'row has a number', 'rows have numbers');
  return [{ give: '--country CC', why: `${have} without + and country code, e.g. --country US` }];
}
