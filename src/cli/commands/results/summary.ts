import { summarizeCampaign } from '../../../app/results/report.ts';
import { figureLines } from '../../../results/figure-lines.ts';
import { withIso } from '../../../text/iso-times.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';

export const summary = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: databaseOptions,
  examples: [
    ['summary spring', 'results, answer rate, talk time, sentiment and hours, with bars'],
    ['summary spring --json', 'the same as numbers; durations in ms, sums without rounding'],
  ],
  notes: `Hours are those of the person's day where the list has a column "timezone" with names such as
America/New_York, else those of the campaign's timezone; the title says which.`,
  run: async (args, io) => {
    const { name, state, timezone, figures } = await summarizeCampaign(args, io);
    const costs = figures.costs.map((cost) => ({ ...cost, total: Number(cost.total) }));
    const times = withIso({ ...figures, costs }, ['from', 'to'], timezone);
    return {
      json: { campaign: name, state, timezone, ...times },
      lines: figureLines(name, timezone, figures),
    };
  },
});
