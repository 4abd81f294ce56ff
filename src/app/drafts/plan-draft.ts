import { ruleWarnings } from '../../config/rules/rule-warnings.ts';
import type { Survey } from '../../leads/survey.ts';
import { AppError } from '../../runtime/errors.ts';
import { checkList, type ListCheck } from '../plan/check-list.ts';
import { checkPlan, type Checked } from '../plan/check-plan.ts';
import { importInto } from '../plan/import-into.ts';
import type { ForecastReport } from '../plan/forecast.ts';
import { repeatedLine } from '../plan/repeated-lists.ts';
import { CONSENT_REMEDY, consentText } from '../rules/rule-duties.ts';
import { forecastSentences } from '../sentences/forecast-lines.ts';
import { shutText } from '../sentences/hours-lines.ts';
import { placeLines, surveyLine } from '../sentences/import-lines.ts';
import { calledBeforeLines, hoursOfPlan, planLines } from '../sentences/plan-lines.ts';
import { variableLines } from '../sentences/variable-lines.ts';
import { ageText } from '../suppression/suppression-age.ts';
import type { World } from '../world.ts';
import { draftRequest, nameOf, type DraftFiles } from './draft-request.ts';
import type { OpenDraft } from './draft.ts';
import { goneText } from './gone-lists.ts';
import { withNames } from './list-names.ts';
import { findOwn } from './own-campaign.ts';

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
