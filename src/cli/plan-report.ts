import type { Survey } from '../leads/survey.ts';
import { grouped } from '../results/words.ts';
import { columnLines, exampleLines, notTaken } from './import-report.ts';
import type { Io } from './io.ts';
import { say } from './output.ts';
import type { Plan } from './plan.ts';
import { counted } from './plural.ts';
import { ageText } from './suppression-age.ts';

/** What a list would bring: which column is taken for what, with samples, how many rows, and which are not taken. */
export function saySurvey(survey: Survey, io: Io): void {
  const { path, rows, good, scanned } = survey;
  say(io, `${path}: ${counted(rows, 'row')}, ${grouped(good)} good${notTaken(survey)}.`);
  for (const line of columnLines(scanned)) say(io, line);
  for (const line of exampleLines(survey)) say(io, line);
}

/** What of a plan is not in its first lines: lists, suppression, database. */
export async function sayPlanned(plan: Plan, io: Io): Promise<void> {
  for (const survey of plan.surveys) saySurvey(survey, io);
  for (const list of plan.known)
    say(io, `${list.path}: in the campaign already (${counted(list.good, 'good row')}).`);
  const [newest] = (await plan.store?.suppressionFiles()) ?? [];
  if (newest !== undefined)
    say(io, `Newest file on the suppression list: ${ageText(newest, io.clock.now())}.`);
  if (plan.store === undefined) say(io, `There is no database at ${plan.place.path} yet.`);
}

/** A plan as `--json` shows it. */
export function planJson(plan: Plan) {
  return {
    campaign: plan.name,
    exists: plan.campaign !== undefined,
    callNow: plan.callNow,
    lists: plan.surveys.map(surveyJson),
    known: plan.known.map(({ path }) => path),
    progress: plan.progress ?? null,
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
  return { ...survey, phones: undefined, warnings, mapping, headerLine };
}
