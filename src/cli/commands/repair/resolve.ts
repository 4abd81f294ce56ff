import {
  resolveDoubts,
  type ResolveReport,
  type ResolveRequest,
} from '../../../app/resolve/resolve.ts';
import { aboutDoubts, refusalText, settledLines } from '../../../app/sentences/resolve-lines.ts';
import { nameIn } from '../../../results/columns.ts';
import { EXIT, usageError, type AppError } from '../../../runtime/errors.ts';
import type { Campaign, Doubt, List } from '../../../store/port.ts';
import { localTime, zonedTime } from '../../../text/times.ts';
import { shellWord } from '../../../text/wording.ts';
import { defineCommand, type Options, type OptionValues } from '../../args/command.ts';
import { databaseOptions, serviceOptions } from '../../args/options.ts';
import type { Outcome } from '../../print/outcome.ts';

const settlingOptions = {
  lead: { type: 'text', describe: 'settle this call: its number, attempt id or external id' },
  all: { type: 'switch', describe: 'settle all that are listed' },
  as: {
    type: 'text',
    describe: 'what is known of it',
    choices: ['placed', 'not-placed', 'unconfirmed'],
  },
  'call-id': { type: 'text', describe: "the service's id of the call, for --as placed" },
  note: { type: 'text', describe: 'why, for the history; needed for --as unconfirmed' },
  from: {
    type: 'text',
    describe: "CSV of the service's own call log: columns for number, call id and start time",
  },
} as const satisfies Options;

export const resolve = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    ...settlingOptions,
    yes: { type: 'switch', describe: 'let people be called a second time without asking' },
    services: serviceOptions.services,
    ...databaseOptions,
  },
  examples: [
    ['resolve spring', 'list the calls that may or may not have been made'],
    ['resolve spring --lead +12125550123 --as placed --call-id call_81', 'it was made'],
    ['resolve spring --lead a17 --as not-placed', 'it was not: the person is called again'],
    ["resolve spring --all --as unconfirmed --note 'not in their log'", 'nobody can tell'],
    ['resolve spring --from calls.csv', "find the calls in the service's own log"],
  ],
  notes: `Nothing is dialled. Evidence that comes later still counts. --as not-placed is refused while the call may
still be on the line (longestCall) and for a dial that the service answered with a 2xx.
Exit codes: 0 done, 2 wrong usage or not confirmed, 5 some of what was asked for could not be settled.`,
  run: async (args, io) => {
    const request = { ...args, note: args.note ?? null, settle: readSettling(args) };
    return resolveOutcome(await resolveDoubts(request, io));
  },
});

/** What the flags ask for; null: list the doubts, or let a log decide. @throws AppError `USAGE` (exit 2) */
function readSettling(flags: OptionValues<typeof settlingOptions>): ResolveRequest['settle'] {
  const { lead, all, as, from, note, callId } = flags;
  const names = lead !== undefined || all;
  if (from !== undefined) {
    if (names || as !== undefined || callId !== undefined) {
      throw usage('--from decides by itself; it goes with none of --lead, --all, --as, --call-id.');
    }
    return null;
  }
  if (as === undefined) {
    if (!names && callId === undefined && note === undefined) return null;
    throw usage('What is known of the call is missing: --as placed, not-placed or unconfirmed.');
  }
  if (lead !== undefined && all) throw usage('--lead means one call, --all every one; give one.');
  if (!names) throw usage(`--as ${as} needs to know which call: --lead NUMBER, or --all.`);
  const which = lead === undefined ? ({ all: true } as const) : { lead };
  if (as !== 'placed') {
    if (callId !== undefined) throw usage('--call-id goes with --as placed only.');
    if (as === 'unconfirmed' && note === undefined) {
      throw usage('--as unconfirmed needs --note TEXT: why nobody can tell.');
    }
    return { which, as: { as: as === 'unconfirmed' ? 'unconfirmed' : 'not_placed' } };
  }
  if (all) throw usage('A call id belongs to one call: --as placed goes with --lead.');
  const id = callId?.trim() ?? '';
  if (id === '') throw usage('--as placed needs --call-id ID, the id that the service gave it.');
  return { which, as: { as: 'placed', callId: id } };
}

function usage(message: string): AppError {
  return usageError('USAGE', message, 'see `callsheet resolve --help`');
}

/** The doubts, or how each was settled; exit 5 when one of them could not be settled. */
function resolveOutcome(report: ResolveReport): Outcome {
  if (report.is === 'listed') return listed(report);
  const { campaign, settled, refused, stillInDoubt, undecided } = report;
  return {
    json: {
      settled: settled.map(({ doubt, as }) => ({ ...idsOf(doubt), as })),
      refused: refused.map(({ doubt, as, refusal }) => {
        return { ...idsOf(doubt), why: refusalText(refusal, as, campaign) };
      }),
      stillInDoubt,
    },
    told: settledLines(report),
    code: refused.length + undecided === 0 ? EXIT.ok : EXIT.person,
  };
}

const idsOf = ({ line, phone, attemptId }: Doubt) => ({ line, phone, attempt: attemptId });

/** Lists doubts with everything that is needed to find the calls at the service. */
function listed({ doubts, campaign, lists }: ResolveReport & { is: 'listed' }): Outcome {
  const json = doubts.map((doubt) => viewOf(doubt, campaign, lists));
  if (doubts.length === 0) return { json, hints: [`No call of "${campaign.name}" is in doubt.`] };
  const { timezone } = campaign.settings;
  const hasNames = json.some(({ name }) => name !== null);
  const rows = doubts.map((doubt, i) => [
    doubt.line,
    ...(hasNames ? [json[i]?.name ?? null] : []),
    doubt.phone,
    doubt.key,
    doubt.attemptId,
    localTime(doubt.intentAt, timezone),
    localTime(doubt.holdsUntil, timezone),
    doubt.detail,
  ]);
  return {
    json,
    table: [['LINE', ...(hasNames ? ['NAME'] : []), ...HEADERS], rows],
    hints: whatToDo(doubts.length, campaign),
  };
}

const HEADERS = ['NUMBER', 'EXTERNAL ID', 'ATTEMPT', 'SENT', 'SLOT HELD UNTIL', 'WHAT FAILED'];

function whatToDo(count: number, campaign: Campaign): string[] {
  const resolve = `callsheet resolve ${shellWord(campaign.name)}`;
  const ways = [
    ['--lead NUMBER --as placed --call-id ID', 'it was made: its results are fetched'],
    ['--lead NUMBER --as not-placed', 'it was not made: the person is called again'],
    ['--all --as unconfirmed --note TEXT', 'nobody can tell: it stays as it is'],
    ['--from calls.csv', "finds the calls in the service's own log"],
  ] as const;
  return [
    `${aboutDoubts(count, campaign)}:`,
    ...ways.flatMap(([command, what]) => [`  ${resolve} ${command}`, `      ${what}`]),
  ];
}

function viewOf(doubt: Doubt, { settings }: Campaign, lists: readonly List[]) {
  const time = zonedTime(settings.timezone);
  const list = lists.find(({ number }) => number === doubt.list);
  const { line, phone, key, attemptId, callId, state, detail, accepted, service } = doubt;
  return {
    line,
    list: list?.path ?? null,
    name: nameIn(list, doubt.cells),
    phone,
    externalId: key,
    attempt: attemptId,
    state,
    service,
    callId,
    sentAt: time(doubt.intentAt),
    slotHeldUntil: time(doubt.holdsUntil),
    answered2xx: accepted,
    whatFailed: detail,
  };
}
