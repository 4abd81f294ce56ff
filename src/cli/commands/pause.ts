import { AppError, EXIT } from '../../runtime/errors.ts';
import type { Campaign, Store } from '../../store/port.ts';
import { defineCommand } from '../command.ts';
import { databasePlaces, openToWrite, withCampaign } from '../databases.ts';
import type { Io } from '../io.ts';
import { databaseOptions } from '../options.ts';
import { say } from '../output.ts';
import { counted } from '../plural.ts';
import { shellWord } from '../shell-word.ts';

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign' } },
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'every running campaign' },
  },
  examples: [
    ['pause spring', 'start no new call; calls in progress end by themselves'],
    ['pause --all', 'the same for every running campaign'],
  ],
  run: async (args, io) => {
    if (args.all === (args.campaign !== undefined)) {
      throw new AppError('USAGE', 'Name one campaign, or give --all.', {
        exitCode: EXIT.usage,
        hint: 'see `callsheet pause --help`',
      });
    }
    if (args.campaign !== undefined) {
      await withCampaign(args.campaign, args, io, 'write', (store, campaign) =>
        pauseOne(store, campaign, io),
      );
      return EXIT.ok;
    }
    let found = 0;
    for (const { path } of databasePlaces(args, io)) {
      const store = openToWrite(path, io);
      try {
        for (const campaign of await store.listCampaigns()) {
          if (campaign.state !== 'running') continue;
          found += 1;
          await pauseOne(store, campaign, io);
        }
      } finally {
        await store.close();
      }
    }
    if (found === 0) say(io, 'No campaign is running; `callsheet list` shows them all.');
    return EXIT.ok;
  },
});

async function pauseOne(store: Store, campaign: Campaign, io: Io): Promise<void> {
  const { name, state, pauseReason } = campaign;
  if (state === 'completed' || state === 'cancelled' || pauseReason === 'operator') {
    say(io, `Campaign "${name}" is ${state}; nothing is called anyway.`);
    return;
  }
  await store.changeCampaign(
    campaign.id,
    { pause: { reason: 'operator', detail: `paused by ${io.user}` } },
    { at: io.clock.now(), who: io.user, what: 'campaign.paused', detail: { before: state } },
  );
  const { held } = await store.progress(campaign.id, io.clock.now());
  say(
    io,
    `Campaign "${name}" is paused: no new call is started.${inProgress(held)} \`callsheet resume ${shellWord(name)}\` goes on.`,
  );
}

/** The service offers no hang-up. */
export function inProgress(held: number): string {
  if (held === 0) return '';
  return held === 1
    ? ' 1 call in progress ends by itself.'
    : ` ${counted(held, 'call')} in progress end by themselves.`;
}
