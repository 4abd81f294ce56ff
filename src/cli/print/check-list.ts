import type { ListCheck } from '../../app/plan/check-list.ts';
import { grouped } from '../../text/amounts.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { Io } from '../io.ts';
import { printJson, say } from '../terminal/output.ts';
import { saySurvey, surveyJson } from './plan-report.ts';

/** What `check` has found of a list that cannot be called yet. */
export function printListCheck(found: ListCheck, json: boolean, io: Io): void {
  if (!json) {
    sayMissing(found, io);
    return;
  }
  const { campaign, planned, missing, database } = found;
  printJson(io, {
    campaign,
    exists: false,
    callNow: planned.fresh,
    lists: planned.surveys.map(surveyJson),
    known: [],
    progress: null,
    settings: null,
    service: null,
    database,
    missing,
  });
}

function sayMissing({ list, planned, missing }: ListCheck, io: Io): void {
  for (const survey of planned.surveys) saySurvey(survey, io);
  say(io, `${grouped(planned.fresh)} to call. To call them, this is still needed:`);
  for (const { give, why } of missing) say(io, `  ${give}: ${why}`);
  if (missing[0]?.give.startsWith('--service') === true) {
    const rehearse = `callsheet run ${shellWord(list)} --service simulated`;
    say(io, `\`${rehearse}\` rehearses it: nobody is called.`);
  }
  say(io, 'Nothing was called, nothing was written.');
}
