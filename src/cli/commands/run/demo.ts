import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../config/profiles.ts';
import { defineCommand } from '../../args/command.ts';
import { withOperator } from '../../operator.ts';
import { runAndReport } from '../../../app/run/run-and-report.ts';
import { commitPlan } from '../../../app/plan/commit-plan.ts';
import { logOf } from '../../args/options.ts';
import { printOutcome } from '../../print/outcome.ts';
import { runOutcome } from '../../print/run-report.ts';
import { say } from '../../terminal/output.ts';
import { watchRun } from '../../terminal/watch-run.ts';
import { withPlan } from '../../../app/plan/plan.ts';

export const demo = defineCommand({
  arguments: {},
  options: {},
  examples: [['demo', 'the sample list, the embedded service, a results file: under a minute']],
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
    return withPlan(request, io, 'change', async (plan) => {
      const approval = { add: false, yes: true, purpose: 'run' } as const;
      const { store, campaign } = await commitPlan(plan, approval, io);
      const { service } = plan.opened;
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
