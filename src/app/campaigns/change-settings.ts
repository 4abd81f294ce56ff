import { invalidFlag } from '../../config/campaign-file.ts';
import { campaignName } from '../../config/fields.ts';
import type { ServiceConfig } from '../../config/resolve-service.ts';
import { printSetting, printSettings } from '../../config/setting-changes.ts';
import { defaultRequests, resolveSettings } from '../../config/settings.ts';
import { groupOf, isFollowed, rowOf, type SettingKey } from '../../config/table/settings-table.ts';
import { fillPlaces } from '../../leads/rows/row-person.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { Campaign, HistoryEntry } from '../../store/port.ts';
import { asSentence, shellWord } from '../../text/wording.ts';
import {
  findCampaign,
  withCampaign,
  type CampaignRequest,
  type IfVersion,
  type OpenCampaign,
} from '../places/databases.ts';
import { homeOf, nameOf } from '../places/home.ts';
import { callingAhead, scheduledBegin } from '../plan/planned-hours.ts';
import { resultsFile } from '../results/results-file.ts';
import { listsWithoutConsent, requireConsent } from '../rules/duties.ts';
import { nobodyChoseRules } from '../rules/rules.ts';
import { whoWorks } from '../run/run-events.ts';
import { midnightLines } from '../sentences/hours-lines.ts';
import { checkAgent } from '../services/agents.ts';
import { openStored } from '../services/known-services.ts';
import { chooseService, refuseSimulatedMix, type ServiceRequest } from '../services/service.ts';
import { historyEntry, type World } from '../world.ts';

/**
 * Changes settings of a campaign: some at once, the others for its next run, as settings-table.ts says.
 *
 * @param request.setting `key=value`, with the keys of a campaign file
 * @returns what has changed, and the run in progress with the settings that it keeps; `run` null: none is in progress
 * @throws AppError `CAMPAIGN_UNKNOWN`, `CAMPAIGN_CHANGED`, `SETTING_INVALID`, `FLAG_INVALID`,
 *   `CONSENT_COLUMN_MISSING`, `AGENT_UNKNOWN`, `SCHEDULE_NEVER`, those of rules (exit 2)
 */
export function changeSettings(
  request: CampaignRequest & IfVersion & ServiceRequest & { setting: readonly string[] },
  world: World,
) {
  const { setting: sets, ifVersion } = request;
  return withCampaign(request, world, 'write', async ({ store, campaign }) => {
    const { id, name } = campaign;
    refuseApart(sets, name);
    for (const text of sets) refuseOthers(text, campaign);
    const config = await chosenService(sets, { store, campaign, world }, request);
    const resolved = resolveSettings({
      sets,
      setFlag: 'set',
      stored: campaign.settings,
      cwd: world.cwd,
      home: homeOf(world).folder,
      defaults: {
        ...{ timezone: world.timezone, agent: campaign.settings.agent, live: config?.live },
        replacesRules: config !== undefined && (await nobodyChoseRules(campaign, store)),
      },
    });
    const { ruleFiles } = resolved;
    const changes = [...resolved.changes];
    const { name: service, simulated } = config ?? { ...campaign, name: campaign.service };
    const isOther = service !== campaign.service;
    if (isOther)
      changes.push({ key: 'service', from: campaign.service || 'none', to: service, source: '' });
    const keepsAgent = !isOther || sets.some((text) => /^\s*agent\s*=/.test(text));
    // The agent of another service is not known there.
    const settings = keepsAgent ? resolved.settings : { ...resolved.settings, agent: '' };
    if (settings.agent !== resolved.settings.agent)
      changes.push({ key: 'agent', from: resolved.settings.agent, to: 'none', source: '' });
    if (changes.length === 0) {
      world.tell(`"${name}" is set so already; nothing was changed.`);
      return { campaign: name, changes, run: null };
    }
    if (settings.agent !== '' && (isOther || changes.some(({ key }) => key === 'agent')))
      await requireAgent({ name: service, simulated }, settings.agent, request, world);
    requireConsent(await listsWithoutConsent({ ruleFiles, surveys: [], campaign, store }));
    const now = world.clock.now();
    scheduledBegin(
      settings,
      callingAhead(settings, await store.placesOf(id, now), now, -Infinity),
      now,
    );
    const detail: Record<string, unknown> = {};
    const waiting: string[] = [];
    for (const { key, from, to, source } of changes) {
      // What the content of files has changed is followed, too: `rules us-national`, `zone-overrides.yaml`.
      if (rowOf(key) !== undefined && !isFollowed(key)) waiting.push(key);
      // Rules that nobody chose follow the service: see `nobodyChoseRules`.
      const at =
        key === 'rules' && !sets.some((text) => /^\s*rules/.test(text)) ? 'default rules' : key;
      detail[at] = { from, to, source: /^follows /.test(source) ? source : 'callsheet set' };
    }
    if (changes.some(({ key }) => key === 'hours'))
      for (const line of midnightLines(settings)) world.tell(line);
    const entry = historyEntry(world, 'campaign.changed', detail);
    await store.changeCampaign(
      id,
      { settings, service, simulated, ifVersion: ifVersion ?? campaign.version },
      entry,
    );
    await fillPlaces(store, { id, settings });
    const { runner, calls } = whoWorks(await store.runners(id), world);
    const run = runner === null ? null : { runner, keeps: waiting, calls: calls !== null };
    return { campaign: name, changes, run };
  });
}

/** Refuses an agent that the service does not have, as the start does; one that cannot be looked up is told. */
async function requireAgent(
  { name, simulated }: Pick<ServiceConfig, 'name' | 'simulated'>,
  agent: string,
  flags: ServiceRequest,
  world: World,
): Promise<void> {
  if (simulated || name === '') return;
  try {
    const opened = await openStored(name, flags, world, { own: name });
    await checkAgent(opened, agent, world).finally(opened.close);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'AGENT_UNKNOWN') throw error;
    world.tell(`The agent was not looked up at ${name}: ${asSentence(error.message)}`, 'problem');
  }
}

/** For `concurrency 10` without `=`, names the command that was meant. @throws AppError `SETTING_INVALID` (exit 2) */
function refuseApart(words: readonly string[], campaign: string): void {
  const [key = '', value] = words;
  if (value === undefined || words.length % 2 === 1) return;
  if (words.some((word) => word.includes('='))) return;
  const pairs = words.flatMap((word, index) =>
    index % 2 === 0 ? [`${word}=${shellWord(words[index + 1] ?? '')}`] : [],
  );
  throw usageError(
    'SETTING_INVALID',
    `set "${key}" is not key=value: "${value}" stands apart.`,
    `\`callsheet set ${shellWord(campaign)} ${pairs.join(' ')}\``,
  );
}

/** The service that a draft is given; undefined: none is. @throws AppError those of `chooseService`, `CAMPAIGN_OF_ANOTHER_WORLD` */
async function chosenService(
  sets: readonly string[],
  { store, campaign, world }: OpenCampaign,
  request: ServiceRequest,
): Promise<ServiceConfig | undefined> {
  const [, service] =
    sets.map((text) => /^\s*service\s*=(.*)$/s.exec(text)).findLast(Boolean) ?? [];
  if (service === undefined) return undefined;
  const config = chooseService({ ...request, service: service.trim() }, world);
  const { total } = await store.progress(campaign.id, world.clock.now());
  if (total > 0) refuseSimulatedMix(campaign, config.simulated);
  return config;
}

function refuseOthers(text: string, { name, state }: Campaign): void {
  const key = text.split('=')[0]?.trim() ?? '';
  if (rowOf(key.split('.')[0] ?? '')?.holds !== 'new run') return;
  if (key === 'service' && state === 'draft') return;
  const next =
    key === 'leads'
      ? `\`callsheet import ${shellWord(name)} LIST\` brings another list in`
      : '`callsheet run LIST --name NAME --service SERVICE` begins another campaign';
  throw usageError('FLAG_INVALID', `"${key}" of a campaign that was begun stays as it is.`, next);
}

/** Gives a campaign another name; the record of whom it has called is kept. */
export function renameCampaign(
  request: CampaignRequest & IfVersion & { name: string },
  world: World,
) {
  return withCampaign(request, world, 'write', async (open) => {
    const { store, campaign } = open;
    const { ifVersion } = request;
    const { data: name, error } = campaignName.safeParse(request.name);
    if (error !== undefined)
      throw invalidFlag(
        `"${request.name}" ${error.issues[0]?.message ?? 'is not a campaign name'}.`,
      );
    // A name is unique over both databases: the real one and the one of rehearsals.
    const taken = await findCampaign(name, request, world);
    if (taken !== undefined) {
      throw usageError(
        'CAMPAIGN_EXISTS',
        `There is a campaign "${name}" already, in ${nameOf(taken.place)}.`,
        'choose another name; nothing was changed',
      );
    }
    await refuseAtWork(open);
    const entry = historyEntry(world, 'campaign.renamed', { from: campaign.name, to: name });
    const renamed = await store.changeCampaign(campaign.id, { name, ifVersion }, entry);
    const [before, after] = [campaign, renamed].map((each) =>
      resultsFile(each, store.folder, world.clock.now()),
    );
    const word = shellWord(name);
    world.tell(`Campaign "${campaign.name}" is "${name}" now: \`callsheet run ${word}\`.`);
    if (before !== after) world.tell(`Its results go to ${after} from now on; ${before} stays.`);
    world.tell(`A list or file that gave it its name needs --name ${word} from now on.`);
    return { campaign: name, before: campaign.name, resultsFile: after ?? null };
  });
}

/** A run looks its campaign up by name, so it must not be renamed meanwhile. @throws AppError `CAMPAIGN_AT_WORK` */
async function refuseAtWork({ store, campaign, world }: OpenCampaign): Promise<void> {
  const { runner } = whoWorks(await store.runners(campaign.id), world);
  if (runner === null) return;
  throw usageError(
    'CAMPAIGN_AT_WORK',
    `A runner is working on campaign "${campaign.name}" (${runner}); it can be renamed only while none is.`,
    'end it with Ctrl-C, then rename; nothing was changed',
  );
}

/**
 * Archives a campaign that is done, or brings it back from the archive.
 *
 * @throws AppError `CAMPAIGN_UNKNOWN`, `CAMPAIGN_CHANGED`, and those of the store when a lead still waits or a call is
 *   open (exit 2)
 */
export function archiveCampaign(
  request: CampaignRequest & IfVersion & { undo: boolean },
  world: World,
) {
  const { undo, ifVersion } = request;
  return withCampaign(request, world, 'write', async ({ store, campaign }) => {
    const { id, name, archivedAt } = campaign;
    const changed = (archivedAt !== undefined) === undo;
    if (changed) {
      const entry = historyEntry(world, undo ? 'campaign.unarchived' : 'campaign.archived');
      await store.changeCampaign(id, { archivedAt: undo ? null : entry.at, ifVersion }, entry);
    }
    const back = `\`callsheet cancel ${shellWord(name)} --archive --undo\` takes it back`;
    world.tell(
      undo
        ? `Campaign "${name}" is not archived${changed ? ' any more' : ''}.`
        : `Campaign "${name}" is archived${changed ? '' : ' already'}; its calls still count as made. ${back}.`,
    );
    return { campaign: name, archived: !undo, changed };
  });
}

/** Every setting of a campaign as the text that would set it, and where it comes from. */
export function showSettings(request: CampaignRequest, world: World) {
  return withCampaign(request, world, 'read', async ({ store, campaign }) => {
    const history = await store.history(campaign.id);
    const texts = { service: campaign.service || 'none', ...printSettings(campaign.settings) };
    const settings = Object.entries(texts).map(([key, value]) => {
      return { key, value, from: sourceOf(key, value, { campaign, history }) };
    });
    return { campaign: campaign.name, settings };
  });
}

interface Known {
  campaign: Campaign;
  history: readonly HistoryEntry[];
}

/** Who changed it last; else whether it is the default; else that the campaign was made so. */
function sourceOf(key: string, value: string, { campaign, history }: Known): string {
  const { settings, createdAt } = campaign;
  const { requests, concurrency } = settings;
  if (key === 'requests' && requests === defaultRequests(concurrency)) return 'follows concurrency';
  const day = (at: number) => new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const keys = [key, groupOf(key) ?? key, `default ${key}`];
  const last = history.findLast(
    ({ what, detail }) => what === 'campaign.changed' && keys.some((one) => one in detail),
  );
  if (last !== undefined) {
    const change = keys.map((one) => last.detail[one]).find(Boolean) as { source?: string };
    return `${change.source ?? 'changed'}, ${day(last.at)} by ${last.who}`;
  }
  const { rulesFrom } = history.find(({ what }) => what === 'campaign.created')?.detail ?? {};
  const isDefault =
    (key !== 'service' && value === printSetting(key as SettingKey, {})) ||
    (key === 'rules' && rulesFrom === 'default') ||
    (key === 'results.format' && settings.results.file === null) ||
    value === 'default';
  return isDefault ? 'default' : `when it was made, ${day(createdAt)}`;
}
