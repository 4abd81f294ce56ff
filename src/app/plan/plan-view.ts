import { nameOf } from '../places/home.ts';
import { printSettings } from '../../config/setting-changes.ts';
import { ruleWarnings } from '../../config/rules/rule-file.ts';
import type { Survey } from '../../leads/import.ts';
import { EXIT, type AppError, type ExitCode } from '../../runtime/errors.ts';
import type { Agent } from '../../service/port.ts';
import type { SuppressionFile } from '../../store/port.ts';
import { grouped } from '../../text/amounts.ts';
import { timesIn, withIso, zonedTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import type { ForecastView, PlanView, VariablesReport } from '../../views/plan.ts';
import { CONSENT_REMEDY, consentText } from '../rules/duties.ts';
import { forecastSentences } from '../sentences/forecast-lines.ts';
import { beginsView, openingLines, shutText } from '../sentences/hours-lines.ts';
import { columnLines, exampleLines, placeLines, surveyLine } from '../sentences/import-lines.ts';
import {
  calledBeforeLines,
  dutiesToName,
  hoursOfPlan,
  planLines,
  whenLines,
  type ForThisRun,
  type Reckoned,
} from '../sentences/plan-lines.ts';
import { variableLines } from '../services/prompt-variables.ts';
import { ageText } from '../suppression/suppression-age.ts';
import { openingsView, progressView } from '../watch/campaigns.ts';
import type { CalledBefore } from './called-before.ts';
import type { ForecastReport } from './forecast.ts';
import type { PlannedLists } from './plan-lists.ts';
import type { Plan } from './plan.ts';
import { repeatedLine, type RepeatedList } from './repeated-lists.ts';
import { unfinishedSentence } from './unfinished-import.ts';

/** What was found of a plan. */
export interface Checked extends Pick<ForThisRun, 'limit' | 'until'> {
  plan: Plan;
  called: CalledBefore | null;
  repeated: readonly RepeatedList[];
  newestFile: SuppressionFile | undefined;
  /** Null: the service did not show it. */
  agent: Agent | null;
  /** What is wrong with the service, and the next step; null: it answers and has the agent. */
  problem: string | null;
  next: string | null;
  exitCode: ExitCode;
  /** Null: what `run` asks about has been told before, this among it. */
  variables: VariablesReport | null;
  /** What is sent for the first person; null: nobody is to be called, or not worked out. */
  request: PlanView['request'];
  /** Null: nobody is to be called, or not worked out. */
  forecast: ForecastReport | null;
  /** Absolute, or `-`; null: not looked up. */
  resultsFile: string | null;
}

/** @param now for ages, epoch ms */
export function planView(
  { plan, called, repeated, newestFile, agent, forecast, limit, until, ...found }: Checked,
  now: number,
): PlanView {
  const { resolved, opened, campaign, progress } = plan;
  const { timezone } = resolved.settings;
  const { name, live, simulated } = opened.config;
  const reckoned = reckonedView(plan, called?.leftOut ?? 0, now);
  // A dry run has told the rest where `run` would ask about it.
  const isTold = found.variables === null;
  return {
    campaign: plan.name,
    stored: campaign !== undefined,
    ...reckoned,
    serve: serveText(plan, reckoned.callNow + reckoned.callLater, reckoned.begins?.text ?? ''),
    lists: plan.surveys.map(surveyView),
    known: plan.known.map(({ path }) => path),
    calledBefore: called && calledBeforeView(called, timezone),
    sameLists: repeated.map(({ path, other: { campaign: other, path: at, ...same } }) => {
      return {
        path,
        campaign: other,
        list: at,
        at: zonedTime(timezone)(same.at),
        waits: same.waits,
      };
    }),
    duties: dutiesToName(plan),
    progress: progress === undefined ? null : progressView(progress, timezone),
    settings: printSettings(resolved.settings, true),
    service: { name, url: opened.service.url, live, simulated },
    agentName: agent?.name ?? null,
    prompt: agent?.systemPrompt?.trim().slice(0, SHOWN_OF_PROMPT) ?? null,
    when: whenLines(plan, until ?? null),
    ...found,
    missing: [],
    forecast: forecast && forecastView(forecast, timezone),
    database: { path: nameOf(plan.place), exists: plan.store !== undefined },
    sentences: planLines(plan, agent?.name ?? null, { called, limit, until }),
    notes: [
      ...(plan.fromPlaces ?? []),
      ...(isTold ? [] : repeated.map((list) => repeatedLine(list, timezone))),
      ...(isTold ? [] : calledBeforeLines(called, resolved)),
      ...plan.known
        .filter(({ finishedAt }) => finishedAt !== null)
        .map(
          ({ path, good }) => `${path}: in the campaign already (${counted(good, 'good row')}).`,
        ),
      ...(newestFile === undefined
        ? []
        : [`Newest file on the suppression list: ${ageText(newestFile, now)}.`]),
      ...(plan.store === undefined ? [`There is no database at ${nameOf(plan.place)} yet.`] : []),
      ...(isTold && campaign?.pauseReason === 'operator'
        ? [`Campaign "${plan.name}" is paused: it would only collect. ${resumes(plan.name)}`]
        : []),
      ...(isTold ? [] : notesOfCheck(plan)),
      ...(found.variables === null ? [] : variableLines(found.variables, true)),
    ],
  };
}

/** Who is called when, as far as hours and schedule say it: no service is needed for that. */
function reckonedView(plan: Reckoned, leftOut: number, now: number) {
  const { resolved, hours, ahead, beginsAt, name } = plan;
  const { timezone, schedule = null } = resolved.settings;
  const byHours = hoursOfPlan(plan, leftOut);
  return {
    schedule,
    begins: ahead && beginsView(ahead, { now, timezone, hasCalled: false, isOn: false }),
    callNow: byHours.now,
    callLater: byHours.later,
    callNever: byHours.never,
    nextAt: timesIn(timezone)(beginsAt ?? hours.next?.at ?? null),
    hours: openingsView(hours, timezone),
    never: hours.shut.map((shut) => `${shutText(shut, name)} (${grouped(shut.people)})`),
  };
}

const resumes = (name: string) => `\`callsheet resume ${shellWord(name)}\` lifts that.`;

/** Characters of the agent's prompt. */
const SHOWN_OF_PROMPT = 400;

/** What `callsheet serve` does with the campaign as it is stored; null: nothing of it asks for `serve`. */
function serveText(plan: Plan, people: number, begins: string): string | null {
  const { campaign, name, target, fromPlaces, resolved } = plan;
  const serve = '`callsheet serve`';
  const resume = `\`callsheet resume ${shellWord(name)}\``;
  if (campaign === undefined) {
    if (resolved.settings.schedule === undefined && fromPlaces === undefined) return null;
    const list = target.file?.path ?? target.lists[0] ?? target.folder ?? 'LIST';
    return `Every night by ${serve}: \`callsheet import ${shellWord(name)} ${shellWord(list)}\` brings it in, then ${resume} starts it.`;
  }
  const { state, archivedAt } = campaign;
  if (state === 'cancelled' || state === 'completed' || archivedAt !== undefined)
    return `${serve} calls nobody of it: it is ${archivedAt === undefined ? state : 'archived'}.`;
  if (state !== 'running') return `${serve} calls nobody of it until ${resume}: it is ${state}.`;
  const looks = fromPlaces === undefined ? '' : 'looks for lists and ';
  return `${serve} ${looks}calls ${counted(people, 'person', 'people')}. ${begins}`.trim();
}

/** What `run` asks about or refuses. */
function notesOfCheck({ resolved, others, unfinished, campaign, withoutConsent }: Plan): string[] {
  return [
    ...ruleWarnings(resolved.ruleFiles),
    ...others.map(
      ({ path }) => `${path}: not the list that the campaign was made from; \`run\` needs --add.`,
    ),
    ...(unfinished === undefined || campaign === undefined
      ? []
      : [unfinishedSentence(unfinished, campaign)]),
    ...withoutConsent.map((each) => `${consentText(each)} Next: ${CONSENT_REMEDY}.`),
  ];
}

/** The result of checking a list that cannot be called yet; its name is that of the campaign that the list would become. */
interface ListCheck extends Reckoned {
  planned: PlannedLists;
  missing: PlanView['missing'];
  database: { path: string; exists: boolean };
  /** Set when nobody on the list can be called, or columns are undecided, whatever is added from `missing`. */
  problem: AppError | undefined;
}

/** The same of a list that cannot be called yet. */
export function unreadyView(check: ListCheck, now: number): PlanView {
  const { name, planned, missing, database, problem } = check;
  return {
    campaign: name,
    ...{ stored: false, serve: null },
    ...reckonedView(check, 0, now),
    lists: planned.surveys.map(surveyView),
    ...{ known: [], calledBefore: null, sameLists: [], duties: [], progress: null },
    ...{ settings: null, service: null, agentName: null, prompt: null },
    when: [
      ...openingLines(check.hours, { name, settings: check.resolved.settings }),
      ...check.foreign,
    ],
    problem: problem?.message ?? null,
    next: problem?.hint ?? null,
    ...{ missing, variables: null, request: null, forecast: null, database, resultsFile: null },
    ...{ sentences: [], notes: [] },
    exitCode: problem?.exitCode ?? EXIT.ok,
  };
}

function surveyView(survey: Survey): PlanView['lists'][number] {
  const { scanned, path, rows, good, rejected, duplicates, suppressed, mended, fresh } = survey;
  const { fictional, zonesDisagree, zonesUnknown, byReason, examples, notes } = survey;
  const { headers, phoneColumn } = survey;
  const { mapping, headerLine, memory } = scanned;
  const fields = Object.entries(mapping.fields).map(([field, at]) => {
    return [field, headers[at] ?? ''] as const;
  });
  return {
    ...{ path, rows, good, rejected, duplicates, suppressed, mended, fictional, zonesDisagree },
    ...{ zonesUnknown, byReason, examples, notes, headers, phoneColumn, fresh, headerLine },
    places: Object.fromEntries(survey.places),
    fields: Object.fromEntries(fields),
    text: surveyLine(survey),
    columns: columnLines(scanned, memory.cells),
    problems: exampleLines(survey),
    zones: placeLines(survey),
  };
}

function calledBeforeView({ lastAt, campaigns, ...found }: CalledBefore, timezone: string) {
  const iso = zonedTime(timezone);
  const by = campaigns.map(({ lastAt: at, ...campaign }) => ({ ...campaign, lastAt: iso(at) }));
  return { ...found, lastAt: iso(lastAt), campaigns: by };
}

export function forecastView(report: ForecastReport, timezone: string): ForecastView {
  const { startAt, endsAt, byNight, costs, ...figures } = report;
  const iso = zonedTime(timezone);
  const amount = (cost: number) => String(Number(cost.toFixed(6)));
  return {
    ...figures,
    startAt: iso(startAt),
    endsAt: withIso(endsAt, ['low', 'middle', 'high'], timezone),
    byNight: byNight.map(({ beginsAt, ...night }) => ({ ...night, beginsAt: iso(beginsAt) })),
    costs: Object.entries(costs).map(([currency, { low, middle, high }]) => {
      return { currency, low: amount(low), middle: amount(middle), high: amount(high) };
    }),
    sentences: forecastSentences(report, timezone),
  };
}
