import type { CampaignSettings } from '../../domain/campaign.ts';
import type { SameList, Store } from '../../store/port.ts';
import { requireConfirmed } from '../typed.ts';
import type { OpenCampaign } from '../places/databases.ts';
import { historyEntry, type World } from '../world.ts';
import { localTime } from '../../text/times.ts';
import type { Plan } from './plan.ts';
import { shellWord } from '../../text/wording.ts';

/** What of a plan says whether its lists are called by another campaign, too. */
export type RepeatedPlan = Pick<Plan, 'name' | 'store' | 'campaign' | 'surveys' | 'known'> & {
  opened: { config: { simulated: boolean; live: boolean } };
  resolved: { settings: Pick<CampaignSettings, 'timezone' | 'skipCalled'> };
};

/** A list of this plan, and the newest other campaign that has the same bytes, or that had the name of this one. */
export interface RepeatedList {
  path: string;
  other: SameList;
  /** The other campaign had this name. */
  wasNamed?: string;
}

/** History entry of a campaign: lists that another campaign also has, and that were confirmed to be called again. */
const REPEATED = 'list.repeated';

/** Lists that this campaign has not begun to call, and that another one has called or may still call. */
export async function repeatedLists(plan: RepeatedPlan): Promise<RepeatedList[]> {
  const { store, campaign, surveys, known, opened } = plan;
  if (store === undefined) return [];
  const { begun, hasOwnName, confirmed } = await pastOf(plan);
  // The lists that a started campaign had at its start were confirmed then.
  const stored = campaign === undefined || begun ? [] : await store.lists(campaign.id);
  const isCalled = (sha256: string) =>
    begun && known.some((list) => list.sha256 === sha256 && list.finishedAt !== null);
  const paths = new Map(stored.map(({ sha256, path }) => [sha256, path]));
  for (const { sha256, path } of surveys) if (!isCalled(sha256)) paths.set(sha256, path);
  for (const sha256 of confirmed) paths.delete(sha256);
  if (paths.size === 0) return [];
  const { simulated } = opened.config;
  const renamed = hasOwnName ? [] : await formerOnes(plan, store, simulated);
  const query = { campaignId: campaign?.id ?? null, simulated, sha256s: [...paths.keys()] };
  const found = await store.sameLists(query);
  return [...paths].flatMap(([sha256, path]) => {
    const same = found.filter((list) => list.sha256 === sha256);
    // A campaign that may still call its people matters more than one that has finished.
    const other = same.find(({ waits }) => waits) ?? same[0];
    const former = renamed.find(({ sha256 }) => !confirmed.includes(sha256));
    if (other !== undefined) return [{ path, other }];
    return former === undefined ? [] : [{ path, other: former, wasNamed: plan.name }];
  });
}

/** Campaigns that had the name of this plan before: a crontab or a file may still call them by it. */
async function formerOnes({ name }: RepeatedPlan, store: Store, simulated: boolean) {
  const found: SameList[] = [];
  for (const campaign of await store.listCampaigns()) {
    if (campaign.simulated !== simulated || campaign.name === name) continue;
    const renamed = (await store.history(campaign.id)).findLast(
      ({ what, detail }) => what === 'campaign.renamed' && detail['from'] === name,
    );
    if (renamed === undefined) continue;
    const { id: sha256, name: present } = campaign;
    found.push({ sha256, path: '', at: renamed.at, campaign: present, waits: true });
  }
  return found;
}

export function repeatedLine({ path, other, wasNamed }: RepeatedList, timezone: string): string {
  const since = localTime(other.at, timezone);
  if (wasNamed !== undefined)
    return `campaign "${other.campaign}" was "${wasNamed}" until ${since}, so that ${path} may be its list: \`--name ${shellWord(other.campaign)}\` goes on with it.`;
  const what = other.waits
    ? 'that campaign still has people on it to call'
    : 'that campaign has called everybody on it';
  return `${path} is the same list that campaign "${other.campaign}" has had since ${since} (${other.path}): ${what}.`;
}

/**
 * Tells which lists another campaign also has. A live service calls them only after `--again` or the typed word. With
 * skipCalled, people who were called are left out, so the question is asked only if the other campaign may still call.
 *
 * @param onlyImports the command calls nobody, so `resume` or `run` asks later, unless the campaign was started before
 * @returns the hashes of the lists that were confirmed, to be stored with `keepConfirmed`
 */
export async function confirmAgain(
  plan: RepeatedPlan,
  { again, onlyImports }: { again: boolean; onlyImports: boolean },
  world: World,
): Promise<string[]> {
  const { timezone, skipCalled } = plan.resolved.settings;
  const repeated = await repeatedLists(plan);
  for (const list of repeated) world.tell(repeatedLine(list, timezone));
  if (!plan.opened.config.live) return [];
  const asked = repeated.filter(({ other }) => skipCalled === undefined || other.waits);
  const [first] = asked;
  if (first === undefined) return [];
  if (!again) {
    if (onlyImports && !(await pastOf(plan)).begun) return [];
    await askAgain(first, skipCalled !== undefined, world);
  }
  return asked.map(({ other }) => other.sha256);
}

/** Records the confirmation, so that the same list is not asked about again. */
export async function keepConfirmed(sha256s: readonly string[], open: OpenCampaign) {
  const { store, campaign, world } = open;
  if (sha256s.length > 0)
    await store.addHistory(campaign.id, historyEntry(world, REPEATED, { sha256s }));
}

async function askAgain({ path, other, wasNamed }: RepeatedList, skips: boolean, world: World) {
  const skip = skips
    ? 'skipCalled leaves out only those it has called by then'
    : '--skip-called ever would leave out everyone it has called';
  const ways = skips ? '' : ', --skip-called ever to leave out everyone it has called';
  const goOn = `\`callsheet run ${shellWord(other.campaign)}\` goes on with that campaign`;
  const hint = `give --again if that is meant${ways}; ${goOn}`;
  await requireConfirmed(world, {
    question: `Its people are called again, by a campaign other than "${other.campaign}"; ${skip}. Type again if that is meant:`,
    word: 'again',
    needed:
      wasNamed === undefined
        ? `${path} is the list of campaign "${other.campaign}", too`
        : `campaign "${other.campaign}" was "${wasNamed}" before`,
    undone: 'nobody was called, nothing was changed',
    retry: hint,
    hint,
    code: 'LIST_CALLED_BEFORE',
  });
}

/** Whether the campaign was ever started, and always had its name then, and the hashes of lists that were confirmed for it. */
async function pastOf({ store, campaign }: Pick<Plan, 'store' | 'campaign'>) {
  if (store === undefined || campaign === undefined)
    return { begun: false, hasOwnName: false, confirmed: [] as string[] };
  const history = await store.history(campaign.id);
  const begun = history.some(
    ({ what }) => what === 'campaign.started' || what === 'campaign.resumed',
  );
  return {
    begun,
    // The name may have been another campaign's before it became the name of this one.
    hasOwnName: begun && history.every(({ what }) => what !== 'campaign.renamed'),
    confirmed: history
      .filter(({ what }) => what === REPEATED)
      .flatMap(({ detail }) => detail['sha256s'] as string[]),
  };
}
