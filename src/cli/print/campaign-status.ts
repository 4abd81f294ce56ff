import type { CampaignStatus } from '../../app/watch/campaigns.ts';
import { summaryLines } from '../../results/summary.ts';
import { localTime } from '../../text/local-time.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { Io } from '../io.ts';
import { printFittedTable } from '../terminal/fitted-table.ts';
import { printJson, say } from '../terminal/output.ts';
import { historyLine } from './history-lines.ts';
import {
  campaignJson,
  doubtJson,
  heldJson,
  historyJson,
  listJson,
  progressJson,
  worksJson,
} from './json-times.ts';
import { heldInDoubt } from './resolve-words.ts';
import { nobodyCalls, statusRow, STATUS_HEADERS } from './status-row.ts';

/** So many lines of held slots and of the history are shown; --json has all. */
const SHOWN = 10;

/** One campaign: its figures, who holds the slots, what is in doubt, and what to do. */
export function printStatus(status: CampaignStatus, json: boolean, io: Io): void {
  const { campaign, progress, works, why, heldUpBy } = status;
  const { timezone } = campaign.settings;
  if (json) {
    printJson(io, {
      ...campaignJson(campaign),
      ...progressJson(progress, timezone),
      ...worksJson(works, timezone),
      why,
      heldUpBy,
      lists: status.lists.map((list) => listJson(list, timezone)),
      heldSlots: status.held.map((slot) => heldJson(slot, timezone)),
      openDoubts: status.doubts.map((doubt) => doubtJson(doubt, timezone)),
      history: status.history.map((entry) => historyJson(entry, timezone)),
    });
    return;
  }
  printFittedTable(io, STATUS_HEADERS, [statusRow(status)]);
  const idle = nobodyCalls(campaign, works);
  if (idle !== null) say(io, idle);
  for (const line of summaryLines(progress)) say(io, line);
  showSlots(status, io);
  showDoubts(status, io);
  showHistory(status, io);
  say(io, why);
}

function showSlots({ held, campaign }: CampaignStatus, io: Io): void {
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

function showDoubts({ doubts, heldByDoubts, campaign }: CampaignStatus, io: Io): void {
  if (doubts.length === 0) return;
  if (heldByDoubts.length > 0) say(io, heldInDoubt(heldByDoubts, campaign));
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

function showHistory({ history, campaign }: CampaignStatus, io: Io): void {
  const last = history.slice(-SHOWN);
  if (last.length > 0) say(io, 'History:');
  for (const entry of last) say(io, `  ${historyLine(entry, campaign.settings.timezone)}`);
}
