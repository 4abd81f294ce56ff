import { EXIT, type ExitCode } from '../../../runtime/errors.ts';
import type { Campaign, Store, TailCursor } from '../../../store/port.ts';
import { callLine } from '../../print/call-line.ts';
import { defineCommand } from '../../args/command.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption, wholeNumber } from '../../args/options.ts';
import { printJsonLines, printLines, say } from '../../terminal/output.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

const LOOK_EVERY_MS = 1_000;
/** More lines at the beginning than this are an export. */
const MOST_LINES = 10_000;

export const tail = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    lines: {
      type: 'text',
      alias: 'n',
      describe: 'so many of the newest calls at the beginning',
      default: '10',
    },
    once: { type: 'switch', describe: 'only these, without waiting for more' },
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    ['tail spring', 'the last ten calls, then every call as it comes to an end'],
    ['tail spring --json', 'an object a line, for the next program'],
  ],
  run: (args, io) =>
    withCampaign(args.campaign, args, io, 'read', async (store, campaign) => {
      const lines = wholeNumber('--lines', args.lines, { min: 0, max: MOST_LINES });
      const { calls, cursor } = await store.finishedCalls(campaign.id, null, lines);
      const toLine = callLine(campaign, await store.lists(campaign.id), args);
      const print = args.json ? printJsonLines : printLines;
      print(io, calls.map(toLine));
      if (args.once) return EXIT.ok;
      const stop = new AbortController();
      const stopListening = io.onSignal(() => {
        stop.abort();
      });
      try {
        return await follow(store, campaign, { cursor, json: args.json, stop: stop.signal }, io);
      } finally {
        stopListening();
      }
    }),
});

/** Until the campaign is over, or Ctrl-C. */
async function follow(
  store: Store,
  campaign: Campaign,
  options: { cursor: TailCursor; json: boolean; stop: AbortSignal },
  io: CommandIo,
): Promise<ExitCode> {
  let { cursor } = options;
  let isWaiting = false;
  for (;;) {
    // Asked before the calls, so that none that ends in between is missed.
    const over = await isOver(store, campaign, io);
    const found = await store.finishedCalls(campaign.id, cursor, 0);
    cursor = found.cursor;
    if (found.calls.length > 0) {
      // A list may have come meanwhile.
      const toLine = callLine(campaign, await store.lists(campaign.id), options);
      const print = options.json ? printJsonLines : printLines;
      print(io, found.calls.map(toLine));
    }
    if (over) return EXIT.ok;
    if (!isWaiting && whoWorks(await store.runners(campaign.id), io).runner === null) {
      isWaiting = true;
      say(io, `Nobody works on "${campaign.name}" now; waiting for calls (Ctrl-C ends).`);
    }
    await io.clock.sleep(LOOK_EVERY_MS, options.stop);
    if (options.stop.aborted) return EXIT.interrupted;
  }
}

async function isOver(store: Store, { id, name }: Campaign, io: CommandIo): Promise<boolean> {
  const state = (await store.findCampaign(name))?.state;
  if (state !== 'completed' && state !== 'cancelled') return false;
  return (await store.progress(id, io.clock.now())).calling === 0;
}
