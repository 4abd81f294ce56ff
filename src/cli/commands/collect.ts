import { EXIT, type ExitCode } from '../../runtime/errors.ts';
import { dirname } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { openCollectors } from '../collectors.ts';
import { defineCommand } from '../command.ts';
import { conduct } from '../conduct.ts';
import { databasePlaces, withCampaign } from '../databases.ts';
import { databaseOptions, jsonOption, logOf, serviceOptions } from '../options.ts';
import { say } from '../output.ts';

export const collect = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign; default all with open calls' } },
  options: { ...serviceOptions, ...databaseOptions, ...jsonOption },
  examples: [
    ['collect spring', 'fetch outstanding analytics and write the results again; never dials'],
  ],
  run: async (args, io) => {
    const one = (store: Store, campaign: Campaign, folder: string): Promise<ExitCode> =>
      collectOne(store, campaign, folder);
    async function collectOne(store: Store, campaign: Campaign, folder: string): Promise<ExitCode> {
      const collectors = await openCollectors(store, campaign, undefined, args, io);
      try {
        return await conduct(
          {
            store,
            campaign,
            folder,
            json: args.json,
            log: logOf(args, io),
            run: {
              dialAt: null,
              collectFrom: collectors.services,
              limit: null,
              until: null,
              waitUntil: null,
            },
          },
          io,
        );
      } finally {
        await collectors.close();
      }
    }
    if (args.campaign !== undefined) {
      return withCampaign(args.campaign, args, io, 'write', (store, campaign) =>
        one(store, campaign, dirname(store.location)),
      );
    }
    let worst: ExitCode = EXIT.ok;
    let found = 0;
    for (const { path } of databasePlaces(args, io)) {
      const store = openSqliteStore({ path, mode: 'write' });
      try {
        for (const campaign of await store.listCampaigns()) {
          if ((await store.progress(campaign.id, io.clock.now())).calling === 0) continue;
          found += 1;
          say(io, `Collecting "${campaign.name}".`);
          worst = worse(worst, await one(store, campaign, dirname(path)));
        }
      } finally {
        await store.close();
      }
    }
    if (found === 0) say(io, 'No call is open.');
    return worst;
  },
});

const ORDER: readonly ExitCode[] = [
  EXIT.ok,
  EXIT.waiting,
  EXIT.person,
  EXIT.key,
  EXIT.usage,
  EXIT.failed,
  EXIT.interrupted,
];

function worse(a: ExitCode, b: ExitCode): ExitCode {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}
