import { dirname } from 'node:path';
import { assertWritable } from '../../results/write.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { parseDuration } from '../../config/durations.ts';
import { timeToday } from '../time-today.ts';
import { openCollectors } from '../collectors.ts';
import { defineCommand } from '../command.ts';
import { commitPlan } from '../commit-plan.ts';
import { conduct } from '../conduct.ts';
import { logOf, wholeNumber } from '../options.ts';
import { say } from '../output.ts';
import { makePlan, type Plan } from '../plan.ts';
import { campaignOptions } from '../run-options.ts';

export const run = defineCommand({
  arguments: {
    list: {
      describe: 'a CSV file, a campaign file (.yaml), or the name of a campaign',
      required: true,
    },
  },
  options: {
    ...campaignOptions,
    add: { type: 'switch', describe: 'let the new rows of a changed list join the campaign' },
    yes: { type: 'switch', describe: 'call real people without asking; needed without a terminal' },
    limit: { type: 'text', describe: 'stop after so many calls' },
    until: {
      type: 'text',
      describe: "no new call after this time of day, e.g. 21:00 in the campaign's timezone",
    },
    wait: { type: 'text', describe: 'stay for leads that are due later, e.g. 8h' },
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
  run: async (args, io) => {
    const limit =
      args.limit === undefined ? null : wholeNumber('--limit', args.limit, { min: 1, max: 1e9 });
    const plan = await makePlan(args.list, args, io);
    try {
      const store = requireStore(plan);
      const { settings } = plan.resolved;
      const { file } = settings.results;
      const folder = dirname(plan.place.path);
      if (file !== '-') await assertWritable(file ?? `${folder}/results/${plan.name}.csv`);
      const campaign = await commitPlan(
        { ...plan, store },
        { add: args.add, yes: args.yes, start: true },
        io,
      );
      if (campaign.pauseReason === 'operator') {
        say(
          io,
          `Campaign "${plan.name}" is paused: only collecting. \`callsheet resume ${plan.name}\` lets it call again.`,
        );
      }
      const { opened } = plan;
      const collectors = await openCollectors(store, campaign, opened, args, io);
      try {
        const now = io.clock.now();
        return await conduct(
          {
            store,
            campaign,
            folder,
            json: args.json,
            log: logOf(args, io),
            run: {
              dialAt:
                campaign.state === 'running'
                  ? { service: opened.service, maxCalls: opened.config.maxCalls }
                  : null,
              collectFrom: collectors.services,
              limit,
              until:
                args.until === undefined
                  ? null
                  : timeToday('--until', args.until, now, settings.timezone),
              waitUntil: args.wait === undefined ? null : now + readWait(args.wait),
            },
          },
          io,
        );
      } finally {
        await collectors.close();
      }
    } finally {
      await plan.close();
    }
  },
});

function requireStore({ store, place }: Plan) {
  if (store !== undefined) return store;
  throw new Error(`${place.path} was not opened`);
}

function readWait(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new AppError('FLAG_INVALID', `--wait "${text}" is not a duration such as 30m or 8h.`, {
    exitCode: EXIT.usage,
  });
}
