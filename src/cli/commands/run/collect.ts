import { EXIT, type ExitCode } from '../../../runtime/errors.ts';
import type { Campaign, Store } from '../../../store/port.ts';
import { reportCall } from '../../print/call-report.ts';
import { openCollectors } from '../../../app/services/collectors.ts';
import { applyLeftovers } from '../../../app/run/leftover-deliveries.ts';
import { defineCommand, type CommonArgs } from '../../args/command.ts';
import { completeIfDone, runAndReport } from '../../../app/run/run-and-report.ts';
import { databasePlaces, openToWrite, withCampaign } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { messageOptions } from '../../args/message-options.ts';
import type { MessageKind } from '../../../app/world.ts';
import { databaseOptions, jsonOption, logOf, serviceOptions } from '../../args/options.ts';
import { say } from '../../terminal/output.ts';
import type { ServiceRequest } from '../../../app/services/service.ts';
import { runWatched } from '../../../app/run/watched-run.ts';

/** What the runner is told: it never dials. */
const ONLY_COLLECT = { dialAt: null, limit: null, until: null, waitUntil: null };

export const collect = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign; default all with open calls' } },
  options: { ...serviceOptions, ...databaseOptions, ...jsonOption, ...messageOptions },
  examples: [
    ['collect spring', 'fetch outstanding analytics and write the results again; never dials'],
  ],
  run: async (args, io) => {
    if (args.campaign !== undefined) {
      return withCampaign(args.campaign, args, io, 'write', async (store, campaign) => {
        await applyLeftovers(store, args, io);
        return collectOne(store, campaign, args, io);
      });
    }
    let worst: ExitCode = EXIT.ok;
    let found = 0;
    for (const { path } of databasePlaces(args, io)) {
      const store = openToWrite(path, io);
      try {
        await applyLeftovers(store, args, io);
        for (const campaign of await store.listCampaigns()) {
          if ((await store.progress(campaign.id, io.clock.now())).calling === 0) continue;
          found += 1;
          say(io, `Collecting "${campaign.name}".`);
          worst = worse(worst, await collectOne(store, campaign, args, io));
        }
      } finally {
        await store.close();
      }
    }
    if (found === 0) say(io, 'No call is open.');
    return worst;
  },
});

async function collectOne(
  store: Store,
  campaign: Campaign,
  args: CommonArgs & ServiceRequest & { db?: string | undefined; json: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const collectors = await openCollectors(store, campaign, undefined, args, io);
  const run = { ...ONLY_COLLECT, collectFrom: collectors.services };
  const work = { store, campaign, run, log: logOf(args, io) };
  try {
    if (campaign.kind === 'list') return await runAndReport({ ...work, json: args.json }, io);
    const tell = (sentence: string, kind: MessageKind) => {
      say(io, sentence, kind);
    };
    const end = await runWatched({ ...work, tell }, io);
    if (end.left) return EXIT.interrupted;
    return await reportCall(store, await completeIfDone(store, campaign, io), end, args, io);
  } finally {
    await collectors.close();
  }
}

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
