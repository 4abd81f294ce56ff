import { EXIT } from '../../../runtime/errors.ts';
import { summaryLines } from '../../../results/summary.ts';
import type { Campaign, Doubt, HeldSlot, HistoryEntry } from '../../../store/port.ts';
import { defineCommand } from '../../args/command.ts';
import { historyLine } from '../../print/history-lines.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { printFittedTable } from '../../terminal/fitted-table.ts';
import type { CommandIo } from '../../io.ts';
import { localTime } from '../../../text/local-time.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { exitReason } from '../../../app/run/exit-reason.ts';
import { heldInDoubt } from '../../print/resolve-words.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { nobodyCalls, statusRow, STATUS_HEADERS } from '../../print/status-row.ts';
import { unfinishedImport, unfinishedSentence } from '../../../app/plan/unfinished-import.ts';
import {
  doubtJson,
  heldJson,
  historyJson,
  listJson,
  progressJson,
} from '../../print/json-times.ts';
import { listCampaigns, publicView, worksJson } from './list.ts';
import { whoWorks } from '../../../app/run/who-works.ts';

/** So many lines of held slots and of the history are shown; --json has all. */
const SHOWN = 10;

export const status = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign; default all' } },
  options: { ...databaseOptions, ...jsonOption },
  examples: [
    ['status', 'every campaign, in a line each'],
    ['status spring', 'and who holds the slots, what is in doubt, and what to do'],
  ],
  run: async (args, io) => {
    if (args.campaign === undefined) return listCampaigns(args, io);
    return withCampaign(args.campaign, args, io, 'read', async (store, campaign) => {
      const now = io.clock.now();
      const { timezone } = campaign.settings;
      const progress = await store.progress(campaign.id, now);
      const held = await store.heldSlots(campaign.id, now);
      const doubts = (await store.doubts(campaign.id)).filter(
        ({ resolution }) => resolution === null,
      );
      const history = await store.history(campaign.id);
      const works = whoWorks(await store.runners(campaign.id), io);
      const unfinished = await unfinishedImport(store, campaign, io);
      const outcome = exitReason(campaign, progress, now, { ...works, unfinished });
      if (args.json) {
        const lists = await store.lists(campaign.id);
        printJson(io, {
          ...publicView(campaign),
          ...progressJson(progress, timezone),
          ...worksJson(works, campaign),
          why: outcome.why,
          heldUpBy: unfinished === undefined ? null : unfinishedSentence(unfinished, campaign),
          lists: lists.map((list) => listJson(list, timezone)),
          heldSlots: held.map((slot) => heldJson(slot, timezone)),
          openDoubts: doubts.map((doubt) => doubtJson(doubt, timezone)),
          history: history.map((entry) => historyJson(entry, timezone)),
        });
        return EXIT.ok;
      }
      printFittedTable(io, STATUS_HEADERS, [statusRow(campaign, progress, works, now)]);
      const idle = nobodyCalls(campaign, works);
      if (idle !== null) say(io, idle);
      for (const line of summaryLines(progress)) say(io, line);
      showSlots(held, campaign, io);
      showDoubts(doubts, held, campaign, io);
      showHistory(history, campaign, io);
      say(io, outcome.why);
      return EXIT.ok;
    });
  },
});

function showSlots(held: readonly HeldSlot[], campaign: Campaign, io: CommandIo): void {
  const { concurrency, timezone } = campaign.settings;
  say(io, `Slots: ${held.length} of ${concurrency} held.`);
  for (const slot of held.slice(0, SHOWN)) {
    const { line, phone, state, callId, intentAt, holdsUntil } = slot;
    const call = callId === null ? '' : ` call ${callId}`;
    say(
      io,
      `  line ${line} ${phone} ${state}${call} since ${localTime(intentAt, timezone)}, free by ${localTime(holdsUntil, timezone)}`,
    );
  }
  if (held.length > SHOWN) say(io, `  and ${held.length - SHOWN} more`);
}

function showDoubts(
  doubts: readonly Doubt[],
  held: readonly HeldSlot[],
  campaign: Campaign,
  io: CommandIo,
): void {
  if (doubts.length === 0) return;
  const slots = heldInDoubt(held, campaign);
  if (slots !== undefined) say(io, slots);
  say(
    io,
    'Calls in doubt (sent, answer lost; they are not called again, and evidence that comes later still counts):',
  );
  for (const { line, phone, state, attemptId, intentAt, detail } of doubts.slice(0, SHOWN)) {
    const at = localTime(intentAt, campaign.settings.timezone);
    say(io, `  line ${line} ${phone} ${state} attempt ${attemptId} sent ${at}: ${detail ?? ''}`);
  }
  if (doubts.length > SHOWN) say(io, `  and ${doubts.length - SHOWN} more`);
  say(
    io,
    `What to do: look each number and time up at ${campaign.service}, where it is known whether the person was called, and tell it with \`callsheet resolve ${shellWord(campaign.name)}\`.`,
  );
}

function showHistory(history: readonly HistoryEntry[], campaign: Campaign, io: CommandIo): void {
  const last = history.slice(-SHOWN);
  if (last.length > 0) say(io, 'History:');
  for (const entry of last) say(io, `  ${historyLine(entry, campaign.settings.timezone)}`);
}
