import type { Survey } from '../../leads/survey.ts';
import { grouped } from '../../text/amounts.ts';
import { columnLines, exampleLines, notTaken } from '../../app/sentences/import-lines.ts';
import { repeatedLine, repeatedLists, type RepeatedList } from '../../app/plan/again.ts';
import { findCalledBefore, type CalledBefore } from '../../app/plan/called-before.ts';
import { calledBeforeJson, calledBeforeLines } from '../../app/sentences/called-before-lines.ts';
import type { World } from '../../app/world.ts';
import type { Io } from '../io.ts';
import { progressJson } from './json-times.ts';
import { say } from '../terminal/output.ts';
import type { Plan } from '../../app/plan/plan.ts';
import { counted } from '../../text/plural.ts';
import { ageText } from '../../app/plan/suppression-age.ts';

/** What a list would bring: which column is taken for what, with samples, how many rows, and which are not taken. */
export function saySurvey(survey: Survey, io: Io): void {
  const { path, rows, good, scanned } = survey;
  say(io, `${path}: ${counted(rows, 'row')}, ${grouped(good)} good${notTaken(survey)}.`);
  for (const line of columnLines(scanned)) say(io, line);
  for (const line of exampleLines(survey)) say(io, line);
}

/** What other campaigns have to do with a plan's people. */
export interface Earlier {
  called: CalledBefore | null;
  repeated: readonly RepeatedList[];
}

export async function lookBack(plan: Plan, world: World): Promise<Earlier> {
  return { called: await findCalledBefore(plan, world), repeated: await repeatedLists(plan) };
}

/** What of a plan is not in its first lines: lists, earlier calls, suppression, database. */
export async function sayPlanned(plan: Plan, { called, repeated }: Earlier, io: Io): Promise<void> {
  for (const survey of plan.surveys) saySurvey(survey, io);
  const { timezone } = plan.resolved.settings;
  for (const list of repeated) say(io, repeatedLine(list, timezone));
  for (const line of calledBeforeLines(called, plan.resolved)) say(io, line);
  for (const list of plan.known)
    say(io, `${list.path}: in the campaign already (${counted(list.good, 'good row')}).`);
  const [newest] = (await plan.store?.suppressionFiles()) ?? [];
  if (newest !== undefined)
    say(io, `Newest file on the suppression list: ${ageText(newest, io.clock.now())}.`);
  if (plan.store === undefined) say(io, `There is no database at ${plan.place.path} yet.`);
}

/** A plan as `--json` shows it. */
export function planJson(plan: Plan, { called, repeated }: Earlier) {
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
