import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

import { commitPlan } from '../../../app/plan/commit-plan.ts';
import { withPlan } from '../../../app/plan/plan.ts';
import { runList, tryList } from '../../../app/run/run.ts';
import { runAndReport } from '../../../app/run/watched-run.ts';
import { invalidFlag } from '../../../config/campaign-file.ts';
import { packageRoot } from '../../../runtime/files.ts';
import { parseDuration } from '../../../text/times.ts';
import { runEnd } from '../../../views/campaigns.ts';
import { plan } from '../../../views/plan.ts';
import {
  addOption,
  againOption,
  campaignOptions,
  listOptions,
  planArguments,
  planRequest,
} from '../../args/campaign-options.ts';
import { defineCommand } from '../../args/command.ts';
import { listenerOptions, readListener, refuseListener } from '../../args/console-options.ts';
import { logOf, messageOptions, wholeNumber } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import { dryRunOutcome, printOutcome, type Outcome } from '../../print/outcome.ts';
import { runOutcome } from '../../print/calls.ts';
import { say } from '../../terminal/output.ts';
import { interruptible, watchRun, withOperator } from '../../terminal/stop.ts';

const printed = z.union([plan, runEnd]);

export const run = defineCommand({
  arguments: planArguments,
  options: {
    ...campaignOptions,
    ...listOptions,
    ...addOption,
    yes: { type: 'switch', describe: 'call real people without asking; needed without a terminal' },
    ...againOption,
    'dry-run': {
      type: 'switch',
      describe: 'say what would be done, or why not; calls nobody, writes nothing',
    },
    force: { type: 'switch', describe: 'replace a results file that callsheet did not write' },
    limit: { describe: 'stop after this many calls' },
    until: {
      describe:
        'no new call after this time today, e.g. 21:00, or this moment, e.g. "2026-11-23 20:30"; in the campaign\'s timezone',
    },
    wait: { describe: 'wait up to this long for leads that are due later, e.g. 8h' },
    webhooks: { type: 'switch', describe: 'receive webhooks while it runs; see `callsheet serve`' },
    ...listenerOptions,
    ...messageOptions,
  },
  examples: [
    [
      'run leads.csv --agent ag_123 --service main --country US',
      'call the list and write data/results/leads.csv; run it again and it goes on, calling nobody twice',
    ],
    ['run campaigns/example.yaml', 'the same from a campaign file'],
    [
      'run leads.csv --agent ag_123 --service main --add --yes',
      'every night by cron: new rows of the list join, nobody is asked',
    ],
  ],
  tooMany:
    '`callsheet run LIST --name NAME` begins a campaign, `callsheet import NAME LIST` brings a list into one; then `callsheet run NAME` calls',
  notes: `Exit codes: 0 every lead is final, 1 failed, 2 wrong usage or not confirmed, 3 leads wait for later,
4 the service refused the key, 5 a person is needed, 130 interrupted.`,
  json: printed,
  run: interruptible(async (args, io): Promise<Outcome<z.infer<typeof printed>>> => {
    const { add, yes, again, force, limit, wait, until } = args;
    const listenAt = args.webhooks ? readListener(args) : refuseListener(args);
    const request = {
      ...planRequest(args.list, args, io.clock.now()),
      add,
      yes,
      again,
      force,
      limit: limit === undefined ? null : wholeNumber('--limit', limit, { min: 1, max: 1e9 }),
      waitMs: wait === undefined ? null : readWait(wait),
      until: until === undefined ? undefined : (zone: string) => readUntil(until, zone, io),
    };
    if (args.dryRun) return dryRunOutcome(await tryList(request, io));
    const extras = { log: logOf(args, io), watch: watchRun(io), listenAt };
    return runOutcome(await runList(request, extras, io));
  }),
});

/** Imports the library of wall clocks only here, because most commands do not need it. */
async function readUntil(until: string, timezone: string, io: CommandIo): Promise<number> {
  const { timeToday } = await import('../../args/moments.ts');
  return timeToday('--until', until, io.clock.now(), timezone);
}

function readWait(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw invalidFlag(`--wait "${text}" is not a duration such as 30m or 8h.`);
}

export const demo = defineCommand({
  examples: [['demo', 'the sample list, the embedded service, a results file: under a minute']],
  json: runEnd,
  run: async (args, commandIo) => {
    const folder = mkdtempSync(join(tmpdir(), 'callsheet-demo-'));
    const db = join(folder, 'demo.db');
    // With `db`, commands in messages name the demo's own database.
    const io = withOperator({ ...commandIo, db });
    const leads = join(packageRoot(), 'data', 'samples', 'leads.csv');
    say(
      io,
      `Demo: 60 rows of ${leads}, the embedded service (nobody is called), everything in ${folder}.`,
    );
    const given = {
      flags: {
        name: 'demo',
        service: 'simulated',
        country: 'US',
        rules: 'always',
        concurrency: '20',
      },
      sets: ['polling.floor=100ms'],
    };
    const request = { list: leads, db, service: 'simulated', given };
    return withPlan(request, io, 'change', async (found) => {
      const approval = { add: false, yes: true, purpose: 'run' } as const;
      const { store, campaign } = await commitPlan(found, approval, io);
      const { service } = found.opened;
      const run = {
        dialAt: { service, maxCalls: null },
        collectFrom: [service],
        limit: null,
        until: null,
        waitUntil: null,
      };
      const options = { store, campaign, run, log: logOf(args, io), watch: watchRun(io) };
      const next = 'The same with your own list and service: see `callsheet run --help`.';
      const outcome = { ...runOutcome(await runAndReport(options, io)), told: [next] };
      return { code: printOutcome(outcome, args.json, io) };
    });
  },
});
