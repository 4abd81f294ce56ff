import { z } from 'zod';
import { listDoubts, resolveDoubts, type ResolveRequest } from '../../../app/resolve/resolve.ts';
import { settledLines } from '../../../app/sentences/resolve-lines.ts';
import { EXIT, usageError, type AppError } from '../../../runtime/errors.ts';
import { localOf } from '../../../text/times.ts';
import { shellWord } from '../../../text/wording.ts';
import { doubts, settledDoubts, type Doubts } from '../../../views/calls.ts';
import { defineCommand, type Options, type OptionValues } from '../../args/command.ts';
import { databaseOptions, serviceOptions } from '../../args/options.ts';
import type { Outcome } from '../../print/outcome.ts';

const settlingOptions = {
  lead: { describe: 'settle this call: its number, attempt id or external id' },
  all: { type: 'switch', describe: 'settle all that are listed' },
  as: {
    describe: 'what is known of it',
    choices: ['placed', 'not-placed', 'unconfirmed'],
  },
  'call-id': { describe: "the service's id of the call, for --as placed" },
  note: { describe: 'why, for the history; needed for --as unconfirmed' },
  from: {
    describe: "CSV of the service's own call log: columns for number, call id and start time",
  },
} as const satisfies Options;

export const resolve = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file', required: true } },
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
  json: z.union([doubts, settledDoubts]),
  run: async (args, io) => {
    const settle = readSettling(args);
    if (settle === null) return listed(await listDoubts(args, io));
    const request = { ...args, note: args.note ?? null, settle };
    const { campaign, report } = await resolveDoubts(request, io);
    return {
      json: report,
      told: settledLines(report, campaign),
      code: report.refused.length + report.undecided === 0 ? EXIT.ok : EXIT.person,
    };
  },
});

/** What the flags ask for; null: list the doubts. @throws AppError `USAGE` (exit 2) */
function readSettling(
  flags: OptionValues<typeof settlingOptions>,
): ResolveRequest['settle'] | null {
  const { lead, all, as, from, note, callId } = flags;
  const names = lead !== undefined || all;
  if (from !== undefined) {
    if (names || as !== undefined || callId !== undefined) {
      throw usage('--from decides by itself; it goes with none of --lead, --all, --as, --call-id.');
    }
    return { from };
  }
  if (as === undefined) {
    if (!names && callId === undefined && note === undefined) return null;
    throw usage('What is known of the call is missing: --as placed, not-placed or unconfirmed.');
  }
  if (lead !== undefined && all) throw usage('--lead means one call, --all every one; give one.');
  if (!names)
    throw usage(`--as ${as} needs to know which call: --lead with its number or an id, or --all.`);
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

/** Lists doubts with everything that is needed to find the calls at the service. */
function listed({ doubts, campaign }: Awaited<ReturnType<typeof listDoubts>>): Outcome<Doubts> {
  const { items, about } = doubts;
  if (about === null)
    return { json: doubts, hints: [`No call of "${campaign.name}" is in doubt.`] };
  const time = (at: string) => `${localOf(at)} ${campaign.settings.timezone}`;
  const hasNames = items.some(({ name }) => name !== null);
  const rows = items.map((doubt) => [
    doubt.line,
    ...(hasNames ? [doubt.name] : []),
    doubt.phone,
    doubt.externalId,
    doubt.attempt,
    time(doubt.sentAt),
    time(doubt.heldUntil),
    doubt.whatFailed,
  ]);
  return {
    json: doubts,
    table: [['LINE', ...(hasNames ? ['NAME'] : []), ...HEADERS], rows],
    hints: whatToDo(about, campaign.name),
  };
}

const HEADERS = ['NUMBER', 'EXTERNAL ID', 'ATTEMPT', 'SENT', 'SLOT HELD UNTIL', 'WHAT FAILED'];

function whatToDo(about: string, campaign: string): string[] {
  const resolve = `callsheet resolve ${shellWord(campaign)}`;
  const ways = [
    ['--lead NUMBER --as placed --call-id ID', 'it was made: its results are fetched'],
    ['--lead NUMBER --as not-placed', 'it was not made: the person is called again'],
    ['--all --as unconfirmed --note TEXT', 'nobody can tell: it stays as it is'],
    ['--from calls.csv', "finds the calls in the service's own log"],
  ] as const;
  return [
    about.replace(/\.$/, ':'),
    ...ways.flatMap(([command, what]) => [`  ${resolve} ${command}`, `      ${what}`]),
  ];
}
