import { figureLines } from '../../../results/figure-lines.ts';
import { figuresOf } from '../../../results/figures.ts';
import { withIso } from '../../../text/iso-times.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, printLines } from '../../terminal/output.ts';

export const summary = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: { ...databaseOptions, ...jsonOption },
  examples: [
    ['summary spring', 'results, answer rate, talk time, sentiment and hours, with bars'],
    ['summary spring --json', 'the same as numbers; durations in ms, sums without rounding'],
  ],
  notes: `Hours are those of the person's day where the list has a column "timezone" with names such as
America/New_York, else those of the campaign's timezone; the title says which.`,
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'read', (store, { id }) =>
      store.snapshot(id, async (snapshot) => {
        const { name, state, settings } = snapshot.campaign;
        const figures = await figuresOf(snapshot);
        if (args.json) {
          const costs = figures.costs.map((cost) => ({ ...cost, total: Number(cost.total) }));
          const { timezone } = settings;
          const times = withIso({ ...figures, costs }, ['from', 'to'], timezone);
          printJson(io, { campaign: name, state, timezone, ...times });
        } else printLines(io, figureLines(name, settings.timezone, figures));
        return EXIT.ok;
      }),
    ),
});
