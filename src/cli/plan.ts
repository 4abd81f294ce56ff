import { resolveSettings, type ResolvedSettings, type ServiceChoice } from '../config/settings.ts';
import { surveyList, type Survey } from '../leads/survey.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import type { Campaign, List, Progress, Store } from '../store/port.ts';
import { findCampaign, openToDial, unknownCampaign } from './databases.ts';
import type { Io } from './io.ts';
import { locateDatabase, type DatabasePlace } from './options.ts';
import { settingFlags, type CampaignFlags } from './run-options.ts';
import { chooseService, openService, type OpenService } from './service.ts';
import { readTarget, type Target } from './target.ts';

/** Everything that is known before the first change: what would be called, where, with which settings. */
export interface Plan {
  target: Target;
  /** The campaign's name. */
  name: string;
  place: DatabasePlace;
  /** Undefined when there is no database yet and none may be made (`check`). */
  store: Store | undefined;
  campaign: Campaign | undefined;
  progress: Progress | undefined;
  opened: OpenService;
  resolved: ResolvedSettings;
  /** The lists that come new to the campaign, or whose import was broken off. */
  surveys: Survey[];
  /** Lists of the campaign whose bytes were given again. */
  known: List[];
  close(): Promise<void>;
}

/**
 * Reads target, stored campaign, settings, service and lists. Writes nothing but a database that may be made.
 *
 * @param open how the database is opened, if at all
 * @throws AppError of every part; all of them before anything was written or anybody called
 */
export async function makePlan(
  text: string,
  flags: CampaignFlags,
  io: Io,
  open: (place: DatabasePlace, live: boolean) => Store | undefined = (place, live) =>
    openToDial(place, io, live),
): Promise<Plan> {
  const target = readTarget(text, io.cwd);
  const name = flags.name ?? target.name;
  const undo: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const choice = serviceChoice(target, flags, io);
    const place = await choosePlace(name, choice, flags, io);
    const stored = (await findCampaign(name, { db: place.path }, io))?.campaign.service;
    const config = chooseService(flags, io, { choice, stored, beside: target.file?.folder });
    const store = open(place, config.live);
    if (store !== undefined) undo.push(() => store.close());
    const campaign = await store?.findCampaign(name);
    if (campaign === undefined && target.lists.length === 0) {
      throw await unknownCampaign(name, flags, io);
    }
    refuseOtherWorld(campaign, config.simulated);
    const opened = await openService(config, flags, io);
    undo.push(opened.close);
    const agent = config.simulated ? await firstAgent(opened) : undefined;
    const resolved = resolveSettings({
      ...settingFlags(flags, io.cwd),
      file: target.file,
      stored: campaign?.settings,
      defaults: { timezone: io.timezone, agent },
    });
    requireRules(resolved, opened);
    const progress = campaign && (await store?.progress(campaign.id, io.clock.now()));
    const lists = campaign === undefined ? [] : ((await store?.lists(campaign.id)) ?? []);
    const { surveys, known } = await surveyNew(target, lists, resolved, config.live);
    return {
      target,
      name,
      place,
      store,
      campaign,
      progress,
      opened,
      resolved,
      surveys,
      known,
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
  choice: ServiceChoice,
  flags: CampaignFlags,
  io: Io,
): Promise<DatabasePlace> {
  if (choice.name !== undefined || choice.url !== undefined) {
    return locateDatabase(flags, io, choice.name === 'simulated');
  }
  return (await findCampaign(name, flags, io))?.place ?? locateDatabase(flags, io, false);
}

function serviceChoice(target: Target, flags: CampaignFlags, io: Io): ServiceChoice {
  const defaults = { timezone: io.timezone, agent: 'any' };
  return resolveSettings({ ...settingFlags(flags, io.cwd), file: target.file, defaults }).service;
}

function refuseOtherWorld(campaign: Campaign | undefined, simulated: boolean): void {
  if (campaign === undefined || campaign.simulated === simulated) return;
  const is = campaign.simulated ? 'a rehearsal on the embedded service' : 'of a real service';
  throw new AppError(
    'CAMPAIGN_OF_ANOTHER_WORLD',
    `Campaign "${campaign.name}" is ${is}; rehearsed and real calls are never mixed.`,
    { hint: 'choose another name with --name', exitCode: EXIT.usage },
  );
}

async function firstAgent({ service }: OpenService): Promise<string | undefined> {
  return (await service.listAgents()).agents[0]?.id;
}

function requireRules(resolved: ResolvedSettings, { config }: OpenService): void {
  if (!config.live || resolved.rulesFrom !== 'default') return;
  throw new AppError(
    'RULES_NOT_CHOSEN',
    `Service "${config.name}" calls real people, and no calling rules are chosen; this version has only "always": no calling hours, no caps.`,
    {
      hint: 'start it when calling is allowed, and say so: --rules always',
      exitCode: EXIT.usage,
    },
  );
}

/** Lists are known by their bytes: the same bytes are read again only when their import was broken off. */
async function surveyNew(
  target: Target,
  lists: readonly List[],
  { settings }: ResolvedSettings,
  live: boolean,
): Promise<{ surveys: Survey[]; known: List[] }> {
  const surveys: Survey[] = [];
  const known: List[] = [];
  for (const path of target.lists) {
    const survey = await surveyList(path, {
      country: settings.country,
      refuseFictional: live,
      collectPhones: true,
    });
    const same = lists.find(({ sha256 }) => sha256 === survey.sha256);
    if (same !== undefined) known.push(same);
    if (same === undefined || same.finishedAt === null) surveys.push(survey);
  }
  return { surveys, known };
}
