import { resolveSettings, type ResolvedSettings } from '../config/settings.ts';
import type { Campaign, Progress, Store } from '../store/port.ts';
import {
  openExisting,
  openToDial,
  requireMayCreate,
  findCampaign,
  unknownCampaign,
} from './databases.ts';
import type { Io } from './io.ts';
import { locateDatabase, type DatabasePlace } from './options.ts';
import { readLists, type PlannedLists } from './plan-lists.ts';
import { requireRules } from './rules.ts';
import { settingFlags, type CampaignFlags } from './run-options.ts';
import { chooseService, openService, refuseOtherWorld, type OpenService } from './service.ts';
import { readTarget, type Target } from './target.ts';

/** Everything that is known before the first change: what would be called, where, with which settings. */
export interface Plan extends PlannedLists {
  target: Target;
  /** The campaign's name. */
  name: string;
  place: DatabasePlace;
  /** Undefined while there is no database: `createStore` makes it. */
  store: Store | undefined;
  campaign: Campaign | undefined;
  progress: Progress | undefined;
  opened: OpenService;
  resolved: ResolvedSettings;
  /** Leads that can be called now: those that wait, and the new ones of the lists. */
  callNow: number;
  /** The store; a missing database is made now. Only of a plan made `to: 'change'`. */
  createStore(): Store;
  close(): Promise<void>;
}

/** Stands for an agent until the embedded service is asked for its first one. */
const ANY_AGENT = 'any';

/**
 * Reads target, stored campaign, settings, lists and service, in the order in which mistakes cost least, and
 * makes no file.
 *
 * @param to `change` opens the database for dialling and refuses a missing one that may not be made;
 *   `look` only reads
 * @throws AppError of every part; all of them before anything was written or anybody called
 */
export async function makePlan(
  text: string,
  flags: CampaignFlags,
  io: Io,
  to: 'change' | 'look' = 'change',
): Promise<Plan> {
  const target = readTarget(text, io.cwd);
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const settingsOf = (agent: string | undefined, stored?: Campaign) =>
      resolveSettings({
        ...settingFlags(flags, io.cwd),
        file: target.file,
        stored: stored?.settings,
        defaults: { timezone: io.timezone, agent },
      });
    const given = settingsOf(ANY_AGENT);
    const name = given.name ?? target.name;
    const paths = given.leads.length > 0 ? given.leads : target.lists;
    const place = await choosePlace(name, given, flags, io);
    const store = openExisting(place, io, to === 'change' ? 'dial' : 'read');
    if (store !== undefined) undo.push(() => store.close());
    const campaign = await store?.findCampaign(name);
    if (campaign === undefined && paths.length === 0) throw await unknownCampaign(name, flags, io);

    const config = chooseService(flags, io, {
      choice: given.service,
      stored: campaign?.service,
      beside: target.file?.folder,
    });
    refuseOtherWorld(campaign, config.simulated);
    if (to === 'change') requireMayCreate(place, io, config.live);
    const draft = settingsOf(config.simulated ? ANY_AGENT : undefined, campaign);
    await requireRules(draft, config, store, campaign);
    const lists = await readLists(paths, draft, config.live, store, campaign);

    const opened = await openService(config, flags, io, { keep: to === 'change' });
    undo.push(opened.close);
    const resolved = settingsOf(config.simulated ? await firstAgent(opened) : undefined, campaign);
    const progress = campaign && (await store?.progress(campaign.id, io.clock.now()));
    return {
      ...lists,
      target,
      name,
      place,
      store,
      campaign,
      progress,
      opened,
      resolved,
      callNow: (progress?.waiting ?? 0) + lists.fresh,
      createStore: () => {
        if (store !== undefined) return store;
        const made = openToDial(place, io);
        undo.unshift(() => made.close());
        return made;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A rehearsal has its own database; a name alone is looked for in both. */
async function choosePlace(
  name: string,
  { service }: ResolvedSettings,
  flags: CampaignFlags,
  io: Io,
): Promise<DatabasePlace> {
  if (service.name !== undefined || service.url !== undefined) {
    return locateDatabase(flags, io, service.name === 'simulated');
  }
  return (await findCampaign(name, flags, io))?.place ?? locateDatabase(flags, io, false);
}

async function firstAgent({ service }: OpenService): Promise<string | undefined> {
  return (await service.listAgents()).agents[0]?.id;
}
