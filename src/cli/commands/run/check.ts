import { z } from 'zod';

import { checkList, checkPlan, forCheck } from '../../../app/plan/check-plan.ts';
import { rehearse as rehearseCampaign } from '../../../app/rehearsal/rehearse.ts';
import { priceText } from '../../../app/sentences/forecast-lines.ts';
import { invalidFlag } from '../../../config/campaign-file.ts';
import { LEAD_RESULTS } from '../../../domain/lead.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { expectFewAnswers } from '../../../runtime/process.ts';
import { grouped } from '../../../text/amounts.ts';
import { localOf } from '../../../text/times.ts';
import { counted } from '../../../text/wording.ts';
import { dialRequest, plan, type RequestView, type PlanView } from '../../../views/plan.ts';
import { rehearsalReport, type RehearsalReport } from '../../../views/rehearsal.ts';
import {
  addOption,
  beginAt,
  campaignOptions,
  listOptions,
  planArguments,
  planRequest,
} from '../../args/campaign-options.ts';
import { defineCommand } from '../../args/command.ts';
import { checkOutcome, printOutcome, requestOutcome, type Outcome } from '../../print/outcome.ts';
import { interruptible } from '../../terminal/stop.ts';

/** What a rehearsal shows: each night, the end, who is never called, what held people back, what to change. */
function rehearsalOutcome(report: RehearsalReport): Outcome<RehearsalReport> {
  return {
    json: report,
    lines: [headLine(report), ''],
    fitted: report.nights.length === 0 ? undefined : [HEADERS, nightRows(report)],
    hints: [
      report.ending,
      ...resultLines(report),
      ...(report.pricedBy === null ? [] : [`Costs are counted ${priceText(report.pricedBy)}.`]),
      ...report.never,
      ...holdLines(report),
      ...beforeLines(report),
    ],
    told: report.advice,
    code: EXIT.ok,
  };
}

const HEADERS = ['night', 'calls', 'reached', 'first call', 'last call'] as const;

function headLine({ campaign, people, concurrency, seed, startedAt, timezone }: RehearsalReport) {
  const who = counted(people, 'person', 'people');
  return `Rehearsal of "${campaign}" from ${localOf(startedAt)} ${timezone}: ${who} to call, concurrency ${concurrency}, seed ${seed}; nobody is called.`;
}

function nightRows({ nights }: RehearsalReport): (string | number)[][] {
  return nights.map(({ night, calls, reached, firstCallAt, lastCallAt }) => [
    night,
    calls,
    reached,
    ...[firstCallAt, lastCallAt].map(localOf),
  ]);
}

/** Results of all calls, in the order of `LEAD_RESULTS`. */
function resultLines({ nights }: RehearsalReport): string[] {
  const parts = LEAD_RESULTS.flatMap((result) => {
    const count = nights.reduce((sum, { results }) => sum + (results[result] ?? 0), 0);
    return count === 0 ? [] : [`${grouped(count)} ${result}`];
  });
  return parts.length === 0 ? [] : [`Calls by result: ${parts.join(', ')}.`];
}

function holdLines({ holds }: RehearsalReport): string[] {
  return holds.map(
    ({ by, why, people }) =>
      `${by} held ${counted(people, 'person', 'people')} back for a while, e.g. ${why}.`,
  );
}

/** What is not part of the rehearsal. */
function beforeLines({ rejectedRows, openCalls }: RehearsalReport): string[] {
  return [
    ...(rejectedRows === 0
      ? []
      : [
          `${counted(rejectedRows, 'row')} of the list would be rejected; \`callsheet check\` says why.`,
        ]),
    ...(openCalls === 0
      ? []
      : [`${counted(openCalls, 'call')} in progress now: not called again in the rehearsal.`]),
  ];
}

export const check = defineCommand({
  arguments: planArguments,
  options: {
    ...campaignOptions,
    ...listOptions,
    at: {
      describe:
        'when it would begin, e.g. 18:00 or "2026-11-23 18:00", in the campaign\'s timezone, for the forecast; default now',
    },
    rehearse: { type: 'switch', describe: 'play all nights in seconds, in place of the plan' },
    ...addOption,
    request: {
      type: 'switch',
      describe: 'print the body of the first call as it would be sent, in place of the plan',
    },
    seed: {
      describe:
        'with --rehearse: who answers follows from it; default the seed of the embedded service',
    },
  },
  examples: [
    ['check leads.csv', 'what is in a list, and what is still missing to call it; asks no service'],
    [
      'check leads.csv --agent ag_123 --service main',
      'what would be called, and why not; calls nobody, writes nothing',
    ],
    [
      'check spring --at 18:00',
      'when it would be finished if it began at 18:00, and how sure that is',
    ],
    ['check spring --request', 'what the service would get for the first person'],
    ['check spring --rehearse', 'how many nights it takes, and what would shorten that'],
    [
      'check campaigns/example.yaml --rehearse --at 18:00 --concurrency 12',
      'the same, begun tonight, with 12 calls at once',
    ],
  ],
  notes: `Lists: CSV with commas, semicolons, tabs or bars, plain or in .gz or .zip, and workbooks (.xlsx); \`-\` reads CSV
from the standard input.
The forecast plays the campaign through with the hours, caps, retries, budgets and pace that decide its calls, with
lengths and outcomes of calls that were seen: its own, else those with the same agent, else at the same service, else
usual ones. Of ten ends, one is expected before the range, one after it. It knows nothing of other campaigns that
share the slots, of calls of other campaigns to these people, and of second numbers.
With --rehearse all nights pass in seconds: the same list, rules, hours, caps, retries and settings, on a fast clock,
against the embedded service. The service is not asked for anything, and nothing in the database changes. Who answers
is made up (as by --service simulated), so results are an example, not a forecast.`,
  json: z.union([plan, rehearsalReport, dialRequest]),
  run: interruptible(
    async (args, io): Promise<Outcome<PlanView | RehearsalReport | RequestView>> => {
      const { seed } = args;
      const at = beginAt(args.at, io);
      if (args.rehearse) {
        const request = { ...planRequest(args.list, args, io.clock.now()), at, seed };
        return rehearsalOutcome(await rehearseCampaign(await forCheck(request, io), io));
      }
      if (seed !== undefined)
        throw invalidFlag('--seed is of a rehearsal: it goes with --rehearse.');
      expectFewAnswers();
      const { add } = args;
      const asked = { ...planRequest(args.list, args, io.clock.now()), at, add };
      const request = await forCheck(asked, io);
      const alone = await checkList(request, io);
      const view = alone?.view ?? (await checkPlan(request, io));
      if (args.request && view.request !== null) return requestOutcome(view.request);
      const outcome = checkOutcome(view, args.list);
      if (args.request)
        outcome.told = ['No request is known: nobody is to be called, or something is missing.'];
      if (alone?.problem === undefined) return outcome;
      printOutcome(outcome, args.json, io);
      throw alone.problem;
    },
  ),
});
