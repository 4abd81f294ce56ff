import { resolveDoubts, type ResolveRequest } from '../../../app/resolve/resolve.ts';
import { type AppError, usageError } from '../../../runtime/errors.ts';
import { defineCommand, type Options, type OptionValues } from '../../args/command.ts';
import { databaseOptions, serviceOptions } from '../../args/options.ts';
import { resolveOutcome } from '../../print/resolve-report.ts';

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
    ['resolve spring', 'list the calls of which it is not known whether they were made'],
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
