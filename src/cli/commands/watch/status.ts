import { campaignStatus, listCampaigns } from '../../../app/watch/campaigns.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { campaignsOutcome, statusOutcome } from '../../print/campaigns.ts';

export const list = defineCommand({
  arguments: {},
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'those that are archived, too' },
  },
  examples: [['list', 'every campaign, in a line each; rehearsals too']],
  run: async ({ db, all }, io) => campaignsOutcome(await listCampaigns({ db, archived: all }, io)),
});

export const status = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign; default all' } },
  options: databaseOptions,
  examples: [
    ['status', 'every campaign, in a line each'],
    ['status spring', 'and who holds the slots, what is in doubt, and what to do'],
  ],
  run: async ({ campaign, db, json }, io) =>
    campaign === undefined
      ? campaignsOutcome(await listCampaigns({ db, archived: false }, io))
      : statusOutcome(await campaignStatus({ campaign, db }, io), json),
});
