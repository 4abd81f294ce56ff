import { resolve } from 'node:path';
import { parseDuration } from '../../../text/durations.ts';
import { assertWritable } from '../../../results/target.ts';
import { openCollectors } from '../../../app/services/collectors.ts';
import { printDryRun } from '../../print/plan-report.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { dryRun } from '../../../app/plan/dry-run.ts';
import { commitPlan } from '../../../app/plan/commit-plan.ts';
import { runAndReport, resultsFile } from '../../../app/run/run-and-report.ts';
import type { CommandIo } from '../../io.ts';
import { messageOptions } from '../../args/message-options.ts';
import { logOf, wholeNumber } from '../../args/options.ts';
import { say } from '../../terminal/output.ts';
import { requireOutput, type UsedFile } from '../../../app/places/output-file.ts';
import { makePlan, type Plan } from '../../../app/plan/plan.ts';
import { listOptions } from '../../args/list-input.ts';
import { againOption, campaignOptions, planRequest } from '../../args/run-options.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { interruptible } from '../../terminal/underway.ts';
import { listenWhile } from '../../../app/webhooks/run-webhooks.ts';
import { listenerOptions, readListener } from '../../args/listener-options.ts';
import type { ServiceRequest } from '../../../app/services/service.ts';
import { invalidFlag } from '../../../config/mend.ts';

export const run = defineCommand({
  arguments: {
    list: {
      describe:
        'a list (CSV, .gz, .zip, .xlsx; -: stdin), a campaign file (.yaml), or the name of a campaign',
      required: true,
    },
  },
  options: {
    ...campaignOptions,
    ...listOptions,
    add: { type: 'switch', describe: 'let the new rows of a changed list join the campaign' },
    yes: { type: 'switch', describe: 'call real people without asking; needed without a terminal' },
    ...againOption,
    'dry-run': {
      type: 'switch',
      describe: 'say what would be done, or why not; calls nobody, writes nothing',
    },
    force: { type: 'switch', describe: 'replace a results file that callsheet did not write' },
    limit: { type: 'text', describe: 'stop after so many calls' },
    until: {
      type: 'text',
      describe:
        'no new call after this time of today, e.g. 21:00, or moment, "2026-11-23 20:30"; in the campaign\'s timezone',
    },
    wait: { type: 'text', describe: 'stay for leads that are due later, e.g. 8h' },
    webhooks: { type: 'switch', describe: 'receive webhooks while it runs; see `callsheet serve`' },
    ...listenerOptions,
    ...messageOptions,
  },
  examples: [
    [
      'run leads.csv --agent ag_123 --service main --rules always --country US',
      'call the list and write data/results/leads.csv; run again, it goes on and repeats nobody',
    ],
    ['run campaigns/example.yaml', 'the same from a campaign file'],
    [
      'run leads.csv --agent ag_123 --service main --rules always --add --yes',
      'every night by cron: new rows of the list join, nobody is asked',
    ],
  ],
  notes: `Exit codes: 0 every lead is final, 1 failed, 2 wrong usage or not confirmed, 3 leads wait for later,
4 the service refused the key, 5 a person is needed, 130 interrupted.`,
  run: interruptible(async (args, io) => {
    const limit =
      args.limit === undefined ? null : wholeNumber('--limit', args.limit, { min: 1, max: 1e9 });
    const wait = args.wait === undefined ? null : readWait(args.wait);
    readListener(args);
    const dry = args.dryRun;
    const plan = await makePlan(
      planRequest(args.list, args, io.clock.now()),
      io,
      dry ? 'try' : 'change',
    );
    try {
      const times = await readTimes(plan, args.until, wait, io);
      const file = resultsFile({ ...plan.resolved, name: plan.name }, plan.place.path);
      if (file !== '-') {
        const used = filesOf(plan, args, io);
        await requireOutput(file, { store: plan.store, used, force: args.force }, io);
      }
      if (dry) {
        const { add, yes, again, json } = args;
        const options = { add, yes, again, limit, until: times.until };
        printDryRun(await dryRun(plan, file, options, io), json, io);
        return EXIT.ok;
      }
      const assertResults = () => (file === '-' ? undefined : assertWritable(file));
      const { store, campaign, mayDial } = await commitPlan(
        plan,
        {
          ...{ add: args.add, yes: args.yes, again: args.again, purpose: 'run', assertResults },
          limit,
          until: times.until,
        },
        io,
      );
      if (campaign.pauseReason === 'operator') {
        say(
          io,
          `Campaign "${plan.name}" is paused: only collecting. \`callsheet resume ${shellWord(plan.name)}\` lets it call again.`,
        );
      }
      // From here on the first Ctrl-C ends dialling, not the command.
      io.underway.over();
      const { service, config } = plan.opened;
      const listener = await listenWhile(plan.opened, store, args, logOf(args, io), io);
      const collectors = await openCollectors(store, campaign, plan.opened, args, io);
      const run = {
        dialAt: mayDial ? { service, maxCalls: config.maxCalls } : null,
        collectFrom: collectors.services,
        limit,
        ...times,
        feed: listener?.feed,
      };
      try {
        const { json, force } = args;
        return await runAndReport({ store, campaign, run, json, force, log: logOf(args, io) }, io);
      } finally {
        await listener?.close();
        await collectors.close();
      }
    } finally {
      await plan.close();
    }
  }),
});

/** What this run reads, which its results must not replace. */
function filesOf({ target, opened }: Plan, flags: ServiceRequest, io: CommandIo): UsedFile[] {
  const lists = target.lists.filter((path) => path !== '-');
  const given: [string | undefined, string][] = [
    ...lists.map((path): [string, string] => [path, 'the list']),
    [target.file?.path, 'the campaign file'],
    [opened.config.profile.path, 'the profile of the service'],
    [flags.services, 'the file that names services'],
    [flags.keyFile, 'the file that holds the key'],
  ];
  return given.flatMap(([path, what]) =>
    path === undefined ? [] : [[resolve(io.cwd, path), what] as const],
  );
}

/** Before anything is changed, so that a mistake in them leaves nothing behind. */
async function readTimes(
  plan: Plan,
  until: string | undefined,
  wait: number | null,
  io: CommandIo,
) {
  const now = io.clock.now();
  const { timezone } = plan.resolved.settings;
  return {
    until: until === undefined ? null : await readUntil(until, now, timezone),
    waitUntil: wait === null ? null : now + wait,
  };
}

/** The library of wall clocks is loaded for those who need it. */
async function readUntil(until: string, now: number, timezone: string): Promise<number> {
  const { timeToday } = await import('../../args/time-today.ts');
  return timeToday('--until', until, now, timezone);
}

function readWait(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw invalidFlag(`--wait "${text}" is not a duration such as 30m or 8h.`);
}
