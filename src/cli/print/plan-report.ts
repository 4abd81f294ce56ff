import { ruleWarnings } from '../../config/rules/rule-file.ts';
import type { Survey } from '../../leads/import.ts';
import { grouped } from '../../text/amounts.ts';
import { withIso } from '../../text/times.ts';
import type { ForecastReport } from '../../app/plan/forecast.ts';
import {
  columnLines,
  exampleLines,
  placeLines,
  surveyLine,
} from '../../app/sentences/import-lines.ts';
import { repeatedLine } from '../../app/plan/repeated-lists.ts';
import type { Checked, DryRun, ListCheck, PlanContext } from '../../app/plan/check-plan.ts';
import { unfinishedSentence } from '../../app/plan/unfinished-import.ts';
import {
  calledBeforeJson,
  calledBeforeLines,
  dutiesToName,
  hoursOfPlan,
  planLines,
} from '../../app/sentences/plan-lines.ts';
import { variableLines } from '../../app/services/prompt-variables.ts';
import { counted, shellWord } from '../../text/wording.ts';
import type { Io } from '../io.ts';
import { forecastSentences, nightBars } from '../../app/sentences/forecast-lines.ts';
import { openingsView, progressView } from '../../app/watch/campaign-views.ts';
import { say } from '../terminal/output.ts';
import type { Outcome } from './outcome.ts';
import type { Plan } from '../../app/plan/plan.ts';
import { CONSENT_REMEDY, consentText } from '../../app/rules/duties.ts';
import { ageText } from '../../app/suppression/suppression-age.ts';

/** The result of `check`. */
export function checkOutcome(checked: Checked, io: Io): Outcome {
  const { plan, context, service, variables, forecast } = checked;
  const { agent, problem, next, code } = service;
  const agentName = agent?.name ?? null;
  const about = planJson(plan, context);
  const { unfinished, campaign, resolved } = plan;
  const { timezone } = resolved.settings;
  return {
    json: {
      ...about,
      service: { ...about.service, agentName, problem, next },
      missing: [],
      variables,
      forecast: forecast && forecastJson(forecast, timezone),
    },
    hints: [
      ...planLines(plan, agentName, { called: context.called }),
      ...plannedLines(plan, context, io),
      ...ruleWarnings(plan.resolved.ruleFiles),
      ...plan.others.map(
        ({ path }) => `${path}: not the list that the campaign was made from; \`run\` needs --add.`,
      ),
      ...(unfinished === undefined || campaign === undefined
        ? []
        : [unfinishedSentence(unfinished, campaign)]),
      ...plan.withoutConsent.map((each) => `${consentText(each)} Next: ${CONSENT_REMEDY}.`),
      ...variableLines(variables, true),
      problem ?? `Service: ${plan.opened.service.url} answers, and has the agent.`,
      ...(next === null ? [] : [`  next: ${next}`]),
      ...(forecast === null
        ? []
        : ['', ...forecastSentences(forecast, timezone), ...nightBars(forecast), '']),
      'Nobody was called, nothing was written.',
    ],
    code,
  };
}

/** The result of `run --dry-run`; what concerns other campaigns was printed before, where `run` would ask about it. */
export function dryRunOutcome({ plan, context, agentName, file }: DryRun, io: Io): Outcome {
  const before = plannedLines(plan, { ...context, called: null, repeated: [] }, io);
  for (const line of before) say(io, line);
  if (plan.campaign?.pauseReason === 'operator') {
    const resume = `callsheet resume ${shellWord(plan.name)}`;
    say(io, `Campaign "${plan.name}" is paused: it would only collect. \`${resume}\` lifts that.`);
  }
  return {
    json: { ...planJson(plan, context), agentName, resultsFile: file },
    told: [
      `Results would go to ${file === '-' ? 'the standard output' : file}.`,
      'Dry run: nobody was called, nothing was written.',
    ],
  };
}

/** The result of `check` for a list that cannot be called yet. */
export function listCheckOutcome(check: ListCheck): Outcome {
  const { list, campaign, missing, database } = check;
  const { surveys, fresh } = check.planned;
  const rehearse = `callsheet run ${shellWord(list)} --service simulated`;
  return {
    json: {
      campaign,
      exists: false,
      callNow: fresh,
      lists: surveys.map(surveyJson),
      known: [],
      progress: null,
      settings: null,
      service: null,
      database,
      missing,
    },
    hints: [
      ...surveys.flatMap(surveyLines),
      `${grouped(fresh)} to call. To call them, this is still needed:`,
      ...missing.map(({ give, why }) => `  ${give}: ${why}`),
      ...(missing[0]?.give.startsWith('--service') === true
        ? [`\`${rehearse}\` rehearses it: nobody is called.`]
        : []),
      'Nobody was called, nothing was written.',
    ],
  };
}

/** The parts of a plan that `planLines` leaves out: lists, earlier calls, suppression, database. */
function plannedLines(plan: Plan, context: PlanContext, io: Io): string[] {
  const { called, repeated, newestFile } = context;
  const { timezone } = plan.resolved.settings;
  return [
    ...(plan.fromPlaces ?? []),
    ...plan.surveys.flatMap(surveyLines),
    ...repeated.map((list) => repeatedLine(list, timezone)),
    ...calledBeforeLines(called, plan.resolved),
    ...plan.known.map(
      ({ path, good }) => `${path}: in the campaign already (${counted(good, 'good row')}).`,
    ),
    ...(newestFile === undefined
      ? []
      : [`Newest file on the suppression list: ${ageText(newestFile, io.clock.now())}.`]),
    ...(plan.store === undefined ? [`There is no database at ${plan.place.path} yet.`] : []),
  ];
}

/** What a list would bring: the meaning of its columns with samples, the number of rows, and rows not taken. */
function surveyLines(survey: Survey): string[] {
  return [
    surveyLine(survey),
    ...columnLines(survey.scanned, survey.scanned.memory.cells),
    ...exampleLines(survey),
    ...placeLines(survey),
  ];
}

/** A plan as `--json` shows it. */
function planJson(plan: Plan, { called, repeated }: PlanContext) {
  const { settings } = plan.resolved;
  const byHours = hoursOfPlan(plan, called?.leftOut ?? 0);
  return {
    campaign: plan.name,
    exists: plan.campaign !== undefined,
    callNow: byHours.now,
    callLater: byHours.later,
    callNever: byHours.never,
    hours: openingsView(plan.hours, settings.timezone),
    notes: plan.foreign,
    duties: dutiesToName(plan),
    lists: plan.surveys.map(surveyJson),
    known: plan.known.map(({ path }) => path),
    calledBefore: called === null ? null : calledBeforeJson(called),
    sameLists: repeated.map(({ path, other }) => ({
      path,
      campaign: other.campaign,
      list: other.path,
      at: new Date(other.at).toISOString(),
      waits: other.waits,
    })),
    progress: plan.progress === undefined ? null : progressView(plan.progress, settings.timezone),
    // Without what rules come to, which `callsheet rules show NAME` prints.
    settings: { ...settings, policy: undefined },
    service: {
      name: plan.opened.config.name,
      url: plan.opened.service.url,
      live: plan.opened.config.live,
    },
    database: { path: plan.place.path, exists: plan.store !== undefined },
  };
}

function surveyJson({ scanned, ...survey }: Survey) {
  const { warnings, mapping, headerLine } = scanned;
  const places = Object.fromEntries(survey.places);
  return { ...survey, places, phones: undefined, asked: undefined, warnings, mapping, headerLine };
}

export const forecastJson = ({ endsAt, byNight, ...report }: ForecastReport, timezone: string) => ({
  ...withIso(report, ['startAt'], timezone),
  endsAt: withIso(endsAt, ['low', 'middle', 'high'], timezone),
  byNight: byNight.map((night) => withIso(night, ['beginsAt'], timezone)),
});
