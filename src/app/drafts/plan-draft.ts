import { ruleWarnings } from '../../config/rules/rule-file.ts';
import type { Survey } from '../../leads/survey.ts';
import { AppError } from '../../runtime/errors.ts';
import type { ConsoleStore, Upload } from '../../store/console.ts';
import type { List } from '../../store/port.ts';
import { databasePlaces, findCampaign, withStore } from '../places/databases.ts';
import { nameTaken } from '../places/campaign-place.ts';
import { checkList, checkPlan, type Checked, type ListCheck } from '../plan/check-plan.ts';
import type { ForecastReport } from '../plan/forecast.ts';
import { importInto } from '../plan/import-into.ts';
import { repeatedLine } from '../plan/repeated-lists.ts';
import { CONSENT_REMEDY, consentText } from '../rules/rule-duties.ts';
import { forecastSentences } from '../sentences/forecast-lines.ts';
import { shutText } from '../sentences/hours-lines.ts';
import { placeLines, surveyLine } from '../sentences/import-lines.ts';
import { calledBeforeLines, hoursOfPlan, planLines } from '../sentences/plan-lines.ts';
import { variableLines } from '../services/prompt-variables.ts';
import { ageText } from '../suppression/suppression-age.ts';
import type { World } from '../world.ts';
import { draftRequest, nameOf, type DraftFiles } from './draft-request.ts';
import { goneText, listNames, withNames, type OpenDraft } from './draft.ts';
import { listDrafts } from './drafts.ts';

/** What a draft would become. Nobody was called, and no campaign was written. Times are epoch ms. */
export interface DraftPlan {
  campaign: string;
  /** When `serve` or the console calls it, see `schedule`; null: at once. */
  schedule: string | null;
  callNow: number;
  callLater: number;
  callNever: number;
  never: { sentence: string; people: number }[];
  /** When the first of those who are called later may be; null: nobody is called later. */
  nextAt: number | null;
  surveys: (Survey & { sentence: string })[];
  forecast: (ForecastReport & { sentences: string[] }) | null;
  sentences: string[];
  notes: string[];
  live: boolean;
  simulated: boolean;
  service: { name: string; url: string; live: boolean } | null;
  agentName: string | null;
  problem: string | null;
  next: string | null;
  /** What has to be chosen first; empty: nothing. */
  missing: { give: string; why: string }[];
}

/** @throws AppError those of `draftRequest`, `findOwn`, `checkList` and `checkPlan` */
export function planDraft(draft: OpenDraft, files: DraftFiles, world: World): Promise<DraftPlan> {
  return withNames(draft.uploads, async () => {
    const request = await draftRequest(draft, files, world);
    const unready = await checkList(request, world);
    const missed = goneText(draft);
    const notes = missed === undefined ? [] : [`${missed}: nobody on it is in this plan.`];
    if (unready !== undefined) return { ...unreadyPlan(unready), notes };
    // The plan of a campaign that is there would be that of a further list.
    await findOwn(draft, files, world);
    const checked = await checkPlan(request, world).catch(async (error: unknown) => {
      // The page goes no further with such a list, so an import that is refused, too, keeps who asked not to be called.
      if (error instanceof AppError && error.code === 'LIST_HAS_NO_GOOD_ROW')
        await importInto({ ...request, yes: false, again: false, sync: false }, world);
      throw error;
    });
    const plan = readyPlan(nameOf(draft), checked, world);
    return { ...plan, notes: [...notes, ...plan.notes] };
  });
}

function readyPlan(
  campaign: string,
  { plan, context, service, variables, forecast }: Checked,
  world: World,
): DraftPlan {
  const { called, repeated, newestFile } = context;
  const { timezone } = plan.resolved.settings;
  const { now, later, never } = hoursOfPlan(plan, called?.leftOut ?? 0);
  const { config } = plan.opened;
  return {
    campaign,
    callNow: now,
    callLater: later,
    callNever: never,
    never: plan.hours.shut.map((shut) => ({ sentence: shutText(shut), people: shut.people })),
    nextAt: plan.beginsAt ?? plan.hours.next?.at ?? null,
    schedule: plan.resolved.settings.schedule ?? null,
    surveys: plan.surveys.map(withSentence),
    forecast: forecast && { ...forecast, sentences: forecastSentences(forecast, timezone) },
    sentences: planLines(plan, service.agent?.name ?? null, { called }),
    notes: [
      ...plan.surveys.flatMap(placeLines).map((line) => line.trim()),
      ...repeated.map((list) => repeatedLine(list, timezone)),
      ...calledBeforeLines(called, plan.resolved),
      ...variableLines(variables, true).map((line) => line.trim()),
      ...ruleWarnings(plan.resolved.ruleFiles),
      ...plan.withoutConsent.map((each) => `${consentText(each)} Next: ${CONSENT_REMEDY}.`),
      ...(newestFile === undefined
        ? []
        : [`Newest file on the suppression list: ${ageText(newestFile, world.clock.now())}.`]),
    ],
    live: config.live,
    simulated: config.simulated,
    service: { name: config.name, url: plan.opened.service.url, live: config.live },
    agentName: service.agent?.name ?? null,
    problem: service.problem,
    next: service.next,
    missing: [],
  };
}

function unreadyPlan({ campaign, planned, missing, problem }: ListCheck): DraftPlan {
  return {
    campaign,
    schedule: null,
    callNow: planned.fresh,
    callLater: 0,
    callNever: 0,
    never: [],
    nextAt: null,
    surveys: planned.surveys.map(withSentence),
    forecast: null,
    sentences: [],
    notes: [],
    live: false,
    simulated: false,
    service: null,
    agentName: null,
    problem: problem?.message ?? null,
    next: problem?.hint ?? null,
    missing,
  };
}

function withSentence(survey: Survey) {
  return { ...survey, sentence: surveyLine(survey) };
}

/**
 * The id for the campaign of a draft: of the one whose import was broken off, or a new one. It is kept with the draft
 * before anything is imported, so that after a crash the draft knows its campaign from another one of the same name.
 *
 * @throws AppError `CAMPAIGN_EXISTS` (exit 2)
 */
export async function beginOwn(
  access: ConsoleStore,
  draft: OpenDraft,
  files: DraftFiles,
  world: World,
): Promise<string> {
  const begun = await findOwn(draft, files, world);
  if (begun !== undefined) return begun;
  const campaign = world.newId('cmp');
  await access.setDraftCampaign({ id: draft.id, campaign });
  return campaign;
}

/** The draft of a campaign, while lists of it may be missing; undefined: it was removed, or there was none. */
export async function draftOfCampaign(
  access: ConsoleStore,
  name: string,
  files: DraftFiles,
  world: World,
): Promise<OpenDraft | undefined> {
  const id = (await findCampaign(name, files, world))?.campaign.id;
  const drafts = await listDrafts(access);
  return drafts.find(({ campaign, uploads }) => uploads.length > 0 && campaign === id);
}

/** The lists that the campaign of a draft has, each with whether it is one of the draft's; empty: no campaign is made. */
export async function listsOfOwn(
  { campaign, uploads }: Pick<OpenDraft, 'campaign' | 'uploads'>,
  files: DraftFiles,
  world: World,
) {
  const names = listNames(uploads);
  const found: { list: List; upload: string | undefined }[] = [];
  for (const place of campaign === null ? [] : databasePlaces(files, world)) {
    const lists = withStore(place.path, 'read', world, (store) => store.lists(campaign ?? ''));
    for (const list of await lists) {
      const isOf = ({ id, bytes }: Upload) => names.get(id) === list.path && bytes === list.bytes;
      found.push({ list, upload: uploads.find(isOf)?.id });
    }
  }
  return found;
}

/**
 * Refuses a name that a campaign has, unless that is the one that this draft has begun: it has no list but those of the
 * draft.
 *
 * @returns the id of that campaign; undefined: the name is free
 * @throws AppError `CAMPAIGN_EXISTS` (exit 2)
 */
async function findOwn(
  draft: OpenDraft,
  files: DraftFiles,
  world: World,
): Promise<string | undefined> {
  const name = nameOf(draft);
  const found = await findCampaign(name, files, world);
  if (found === undefined) return undefined;
  const { id, archivedAt } = found.campaign;
  if (id !== draft.campaign || archivedAt !== undefined) throw nameTaken(name);
  const lists = await listsOfOwn(draft, files, world);
  if (lists.some(({ upload }) => upload === undefined)) throw nameTaken(name);
  return id;
}
