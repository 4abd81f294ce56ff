import { ruleWarnings } from '../../config/rules/rule-file.ts';
import type { Survey } from '../../leads/import.ts';
import { AppError } from '../../runtime/errors.ts';
import { CONSENT_REMEDY, consentText } from '../rules/rule-duties.ts';
import { forecastSentences } from '../sentences/forecast-lines.ts';
import { shutText } from '../sentences/hours-lines.ts';
import { placeLines, surveyLine } from '../sentences/import-lines.ts';
import { calledBeforeLines, hoursOfPlan, planLines } from '../sentences/plan-lines.ts';
import { variableLines } from '../services/prompt-variables.ts';
import { ageText } from '../suppression/suppression-age.ts';
import type { World } from '../world.ts';
import { checkList, checkPlan, type Checked, type ListCheck } from './check-plan.ts';
import type { ForecastReport } from './forecast.ts';
import { importInto } from './import-into.ts';
import type { PlanRequest } from './plan.ts';
import { repeatedLine } from './repeated-lists.ts';

/** Whom a campaign would call. Nobody was called and nothing was written. Times are epoch ms. */
export interface CampaignPlan {
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

/**
 * Plans a campaign that is named as the page shows it.
 *
 * @throws AppError those of `checkList` and `checkPlan`
 */
export async function planCampaign(request: PlanRequest, world: World): Promise<CampaignPlan> {
  const unready = await checkList(request, world);
  if (unready !== undefined) return unreadyPlan(unready);
  const checked = await checkPlan(request, world).catch(async (error: unknown) => {
    // The page goes no further with such a list, so an import that is refused, too, keeps who asked not to be called.
    if (error instanceof AppError && error.code === 'LIST_HAS_NO_GOOD_ROW')
      await importInto({ ...request, lists: [], yes: false, again: false, sync: false }, world);
    throw error;
  });
  return readyPlan(checked, world);
}

function readyPlan(
  { plan, context, service, variables, forecast }: Checked,
  world: World,
): CampaignPlan {
  const { called, repeated, newestFile } = context;
  const { timezone } = plan.resolved.settings;
  const { now, later, never } = hoursOfPlan(plan, called?.leftOut ?? 0);
  const { config } = plan.opened;
  return {
    campaign: plan.name,
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

function unreadyPlan({ campaign, planned, missing, problem }: ListCheck): CampaignPlan {
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
