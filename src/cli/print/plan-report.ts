import type { Survey } from '../../leads/survey.ts';
import { grouped } from '../../text/amounts.ts';
import { columnLines, exampleLines, notTaken } from '../../app/sentences/import-lines.ts';
import { repeatedLine } from '../../app/plan/repeated-lists.ts';
import type { checkPlan, DryRun, PlanContext } from '../../app/plan/check-plan.ts';
import { unfinishedSentence } from '../../app/plan/unfinished-import.ts';
import { calledBeforeJson, calledBeforeLines, planLines } from '../../app/sentences/plan-lines.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { Io } from '../io.ts';
import { progressJson } from './json-times.ts';
import { printJson, say } from '../terminal/output.ts';
import type { Plan } from '../../app/plan/plan.ts';
import { counted } from '../../text/plural.ts';
import { ageText } from '../../app/suppression/suppression-age.ts';

/** What a list would bring: which column is taken for what, with samples, how many rows, and which are not taken. */
export function saySurvey(survey: Survey, io: Io): void {
  const { path, rows, good, scanned } = survey;
  say(io, `${path}: ${counted(rows, 'row')}, ${grouped(good)} good${notTaken(survey)}.`);
  for (const line of columnLines(scanned)) say(io, line);
  for (const line of exampleLines(survey)) say(io, line);
}

/** What of a plan is not in its first lines: lists, earlier calls, suppression, database. */
function sayPlanned(plan: Plan, { called, repeated, newestFile }: PlanContext, io: Io): void {
  for (const survey of plan.surveys) saySurvey(survey, io);
  const { timezone } = plan.resolved.settings;
  for (const list of repeated) say(io, repeatedLine(list, timezone));
  for (const line of calledBeforeLines(called, plan.resolved)) say(io, line);
  for (const list of plan.known)
    say(io, `${list.path}: in the campaign already (${counted(list.good, 'good row')}).`);
  if (newestFile !== undefined)
    say(io, `Newest file on the suppression list: ${ageText(newestFile, io.clock.now())}.`);
  if (plan.store === undefined) say(io, `There is no database at ${plan.place.path} yet.`);
}

/** What `check` has found. */
export function printCheck(
  { plan, context, service }: Awaited<ReturnType<typeof checkPlan>>,
  json: boolean,
  io: Io,
): void {
  const { agentName, problem, next } = service;
  if (json) {
    const about = planJson(plan, context);
    const seen = { ...about.service, agentName, problem, next };
    printJson(io, { ...about, service: seen, missing: [] });
    return;
  }
  for (const line of planLines(plan, agentName, { called: context.called })) say(io, line);
  sayPlanned(plan, context, io);
  for (const { path } of plan.others)
    say(io, `${path}: not the list that the campaign was made from; \`run\` needs --add.`);
  if (plan.unfinished !== undefined && plan.campaign !== undefined)
    say(io, unfinishedSentence(plan.unfinished, plan.campaign));
  say(io, problem ?? `Service: ${plan.opened.service.url} answers, and has the agent.`);
  if (next !== null) say(io, `  next: ${next}`);
  say(io, 'Nothing was called, nothing was written.');
}

/** What `run --dry-run` has found; what other campaigns have to do with it was said where `run` would ask. */
export function printDryRun(
  { plan, context, agentName, file }: DryRun,
  json: boolean,
  io: Io,
): void {
  sayPlanned(plan, { ...context, called: null, repeated: [] }, io);
  if (plan.campaign?.pauseReason === 'operator') {
    const resume = `callsheet resume ${shellWord(plan.name)}`;
    say(io, `Campaign "${plan.name}" is paused: it would only collect. \`${resume}\` lifts that.`);
  }
  if (json) printJson(io, { ...planJson(plan, context), agentName, resultsFile: file });
  say(io, `Results would go to ${file === '-' ? 'the standard output' : file}.`);
  say(io, 'Dry run: nobody was called, nothing was written.');
}

/** A plan as `--json` shows it. */
function planJson(plan: Plan, { called, repeated }: PlanContext) {
  return {
    campaign: plan.name,
    exists: plan.campaign !== undefined,
    callNow: plan.callNow - (called?.leftOut ?? 0),
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
    progress:
      plan.progress === undefined
        ? null
        : progressJson(plan.progress, plan.resolved.settings.timezone),
    settings: plan.resolved.settings,
    service: {
      name: plan.opened.config.name,
      url: plan.opened.service.url,
      live: plan.opened.config.live,
    },
    database: { path: plan.place.path, exists: plan.store !== undefined },
  };
}

export function surveyJson({ scanned, ...survey }: Survey) {
  const { warnings, mapping, headerLine } = scanned;
  return { ...survey, phones: undefined, asked: undefined, warnings, mapping, headerLine };
}
