import type { CampaignState } from '../../../domain/campaign.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import type { Campaign, Store } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { databasePlaces, openToWrite, withCampaign } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { counted } from '../../../text/plural.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { namesIn, someOf } from '../../../app/places/unknown-campaign.ts';

export const pause = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign' } },
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'every running campaign' },
    ...jsonOption,
  },
  examples: [
    ['pause spring', 'start no new call; calls in progress end by themselves'],
    ['pause --all', 'the same for every running campaign'],
  ],
  run: async (args, io) => {
    if (args.all === (args.campaign !== undefined)) throw await oneOrAll(args, io);
    if (args.campaign !== undefined) {
      const paused = await withCampaign(args.campaign, args, io, 'write', (store, campaign) =>
        pauseOne(store, campaign, io),
      );
      if (args.json) printJson(io, { campaigns: [paused] });
      return EXIT.ok;
    }
    const paused: Paused[] = [];
    for (const { path } of databasePlaces(args, io)) {
      const store = openToWrite(path, io);
      try {
        for (const campaign of await store.listCampaigns()) {
          if (campaign.state !== 'running') continue;
          paused.push(await pauseOne(store, campaign, io));
        }
      } finally {
        await store.close();
      }
    }
    if (args.json) printJson(io, { campaigns: paused });
    if (paused.length === 0) say(io, 'No campaign is running; `callsheet list` shows them all.');
    return EXIT.ok;
  },
});

async function oneOrAll(
  { campaign, db }: { campaign?: string | undefined; db?: string | undefined },
  io: CommandIo,
): Promise<AppError> {
  if (campaign !== undefined) {
    const one = shellWord(campaign);
    return new AppError(
      'USAGE',
      `Both "${campaign}" and --all are given; it is one or the other.`,
      {
        exitCode: EXIT.usage,
        hint: `\`callsheet pause ${one}\` pauses that one, \`callsheet pause --all\` every running one`,
      },
    );
  }
  const places = databasePlaces({ db }, io);
  const names = (await Promise.all(places.map(({ path }) => namesIn(path, 'running')))).flat();
  const running = names.length === 0 ? 'no campaign is running' : `running are ${someOf(names)}`;
  return new AppError('USAGE', `Name one campaign, or give --all; ${running}.`, {
    exitCode: EXIT.usage,
    hint: '`callsheet list` shows all campaigns',
  });
}

/** A campaign as `--json` shows it. */
interface Paused {
  campaign: string;
  state: CampaignState;
  /** Calls in progress; null: it was not looked at, as nothing is changed. */
  held: number | null;
  changed: boolean;
}

async function pauseOne(store: Store, campaign: Campaign, io: CommandIo): Promise<Paused> {
  const { name, state, pauseReason } = campaign;
  if (state === 'completed' || state === 'cancelled' || pauseReason === 'operator') {
    say(io, `Campaign "${name}" is ${state}; nothing is called anyway.`);
    return { campaign: name, state, held: null, changed: false };
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
  return { campaign: name, state: 'paused', held, changed: true };
}

/** The service offers no hang-up. */
export function inProgress(held: number): string {
  if (held === 0) return '';
  return held === 1
    ? ' 1 call in progress ends by itself.'
    : ` ${counted(held, 'call')} in progress end by themselves.`;
}
