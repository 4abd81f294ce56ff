import { z } from 'zod';
import { budgetLines } from '../../../app/nights/budgets.ts';
import { firstCommand } from '../../../app/places/databases.ts';
import type { CampaignView } from '../../../app/run/situation.ts';
import { openingLines, remedyFor, waitingLines } from '../../../app/sentences/hours-lines.ts';
import { entryText } from '../../../app/sentences/story-events.ts';
import {
  campaignDetail,
  campaignStatus,
  campaignView,
  listCampaigns,
  type CampaignList,
  type CampaignStatus,
  type ServiceShares,
} from '../../../app/watch/campaigns.ts';
import { summaryLines } from '../../../results/figure-lines.ts';
import { percent } from '../../../text/amounts.ts';
import { lineToWrite } from '../../../text/nearest.ts';
import { localTime, shortTime } from '../../../text/times.ts';
import { counted, shellWord } from '../../../text/wording.ts';
import {
  campaigns,
  campaignDetail as detail,
  type CampaignDetail,
  type Campaigns,
} from '../../../views/campaigns.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import type { Outcome } from '../../print/outcome.ts';
import { heldInDoubt } from '../../print/calls.ts';
import type { Table } from '../../terminal/output.ts';

export const list = defineCommand({
  options: {
    ...databaseOptions,
    all: { type: 'switch', describe: 'those that are archived, too' },
  },
  examples: [['list', 'every campaign, in a line each; rehearsals too']],
  json: campaigns,
  run: async ({ db, all }, io) =>
    campaignsOutcome(await listCampaigns({ db, archived: all }, io), io),
});

export const status = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign, or its file; default all' } },
  options: databaseOptions,
  examples: [
    ['status', 'every campaign, in a line each'],
    ['status spring', 'and who holds the slots, what is in doubt, and what to do'],
  ],
  json: z.union([campaigns, detail]),
  run: async ({ campaign, db, json }, io) =>
    campaign === undefined
      ? campaignsOutcome(await listCampaigns({ db, archived: false }, io), io)
      : statusOutcome(await campaignStatus({ campaign, db }, io), json),
});

/** The output of `list`, and of `status` without a name. */
function campaignsOutcome(
  { campaigns, shares, hidden, database }: CampaignList,
  io: CommandIo,
): Outcome<Campaigns> {
  const none = database.exists ? '' : ': there is no such file yet';
  const archived = `${counted(hidden, 'archived campaign')} ${hidden === 1 ? 'is' : 'are'}`;
  return {
    json: { items: campaigns.map((view) => campaignView(view)), next: null, hidden },
    fitted: campaigns.length === 0 ? undefined : tableOf(campaigns),
    hints: [
      ...campaigns.flatMap(nobodyCalls),
      ...campaigns.flatMap(({ campaign, heldUpBy }) =>
        heldUpBy === null ? [] : [`${campaign.name}: ${heldUpBy}`],
      ),
      ...shares.map(sharesLine),
    ],
    told:
      hidden > 0
        ? [`${archived} not shown; \`callsheet list --all\` does.`]
        : campaigns.length > 0
          ? []
          : [`No campaign is in ${database.path}${none}; ${firstCommand(io)}.`],
  };
}

/** How many held slots and history entries are shown; --json has all. */
const SHOWN = 10;

/** The output of `status` for one campaign: figures, calls that hold slots, doubts, and what to do. */
function statusOutcome(status: CampaignStatus, asJson: boolean): Outcome<CampaignDetail> {
  const { campaign, progress, exit, hours } = status;
  if (asJson) return { json: campaignDetail(status) };
  return {
    fitted: tableOf([status]),
    hints: [
      ...nobodyCalls(status),
      ...summaryLines(progress, campaign.state),
      ...(campaign.state === 'running'
        ? [...waitingLines(hours), ...openingLines(hours, campaign)]
        : []),
      ...blankLines(status),
      ...budgetLines(status.budget, campaign, status.begins?.at),
      ...slotLines(status),
      ...status.shares.map(sharesLine),
      ...doubtLines(status),
      ...unknownWordLines(status),
      ...historyLines(status),
      exit.why,
      ...(progress.waiting > 0 && campaign.state !== 'cancelled'
        ? ['Why somebody who waits is not called now: `callsheet explain NUMBER`.']
        : []),
    ],
  };
}

/** Who has what of a service's slots: `Slots at main: spring 7 (weight 3, share 75%), autumn 3 ...`. */
function sharesLine({ service, campaigns }: ServiceShares): string {
  const each = campaigns.map(({ campaign, held, wants, weight, share }) => {
    const more = wants === 0 ? '' : `, ${wants} more wanted`;
    return `${campaign} ${held} (weight ${weight}, share ${percent(share * 100, 100)}${more})`;
  });
  return `Slots at ${service}: ${each.join(', ')}.`;
}

function slotLines({ held, campaign }: CampaignStatus): string[] {
  const { concurrency, timezone } = campaign.settings;
  const lines = firstOf(held, ({ line, phone, state, callId, intentAt, holdsUntil }) => {
    const call = callId === null ? '' : ` call ${callId}`;
    return `  line ${line} ${phone} ${state}${call} since ${localTime(intentAt, timezone)}, free by ${localTime(holdsUntil, timezone)}`;
  });
  return [`Slots: ${held.length} of ${concurrency} held.`, ...lines];
}

function blankLines({ blank, campaign }: CampaignStatus): string[] {
  if (blank === 0) return [];
  const who = counted(blank, 'person who waits is', 'people who wait are');
  const columns = campaign.settings.variables?.columns?.join(', ') ?? '';
  return [
    `${who} held by variables, blank in the list: ${columns}. ${remedyFor('variables', campaign.name)}.`,
  ];
}

function doubtLines({ doubts, heldByDoubts, campaign }: CampaignStatus): string[] {
  if (doubts.length === 0) return [];
  const lines = firstOf(doubts, ({ line, phone, state, attemptId, intentAt, detail }) => {
    const at = localTime(intentAt, campaign.settings.timezone);
    return `  line ${line} ${phone} ${state} attempt ${attemptId} sent ${at}: ${detail ?? ''}`;
  });
  return [
    ...(heldByDoubts.length > 0 ? [heldInDoubt(heldByDoubts, campaign)] : []),
    'Calls in doubt (sent, answer lost; they are not called again, and evidence that comes later still counts):',
    ...lines,
    `What to do: look each number and time up at ${campaign.service}, which knows whether the person was called, and settle it with \`callsheet resolve ${shellWord(campaign.name)}\`.`,
  ];
}

function unknownWordLines({ unknownWords, campaign }: CampaignStatus): string[] {
  if (unknownWords.length === 0) return [];
  const lines = firstOf(unknownWords, (unknown) => {
    const since = localTime(unknown.at, campaign.settings.timezone);
    return `  ${unknown.of} "${unknown.word}" since ${since}: write ${lineToWrite(unknown)}`;
  });
  return [`Words of ${campaign.service} that its profile did not know:`, ...lines];
}

function firstOf<T>(all: readonly T[], toLine: (one: T) => string): string[] {
  const more = all.length > SHOWN ? [`  and ${all.length - SHOWN} more`] : [];
  return [...all.slice(0, SHOWN).map(toLine), ...more];
}

function historyLines({ history, campaign }: CampaignStatus): string[] {
  const last = history.slice(-SHOWN);
  return [
    ...(last.length > 0 ? ['History:'] : []),
    ...last.map(
      (entry) => `  ${localTime(entry.at, campaign.settings.timezone)} ${entryText(entry)}`,
    ),
  ];
}

const HEADERS = [
  'CAMPAIGN',
  'STATE',
  'RUNNER',
  'WAITING',
  'CALLING',
  'UNKNOWN',
  'DONE',
  'ANSWERED',
  'NEXT',
  'SERVICE',
];

/** The lines of `list` and `status`. A process has one start, which is told in one zone. */
function tableOf(views: readonly CampaignView[]): Table {
  const zones = new Set(views.map(({ campaign }) => campaign.settings.timezone));
  const [zone = 'UTC'] = zones;
  const headers = HEADERS.map((name) =>
    name === 'RUNNER' && zones.size > 1 ? `${name} (${zone})` : name,
  );
  return [headers, views.map((view) => toRow(view, zone))];
}

function toRow({ campaign, progress, works, now, situation }: CampaignView, zone: string) {
  const { name, pauseReason, service, settings, archivedAt } = campaign;
  const { shown, until } = situation;
  const { runner, since } = works;
  const { waiting, calling, unknown, done, results } = progress;
  return [
    name,
    archivedAt !== undefined
      ? `${shown} (archived)`
      : pauseReason === null
        ? shown
        : `${shown} (${pauseReason})`,
    runnerText(runner, { since, now }, zone) ?? (shown === 'open' ? 'none' : null),
    campaign.state === 'cancelled' ? 0 : waiting,
    calling,
    unknown,
    done,
    results.answered ?? 0,
    until === null ? null : localTime(until, settings.timezone),
    service,
  ];
}

type Called = CampaignView & Pick<CampaignStatus, 'begins'>;

/** A sentence for a campaign that was started and that no process dials. */
function nobodyCalls(view: Called): string[] {
  const { campaign, works, situation, todo, progress, begins } = view;
  if (situation.shown !== 'open' || situation.works === 'calls') return [];
  const { name } = campaign;
  if (begins?.isOn === true)
    return [`${name}: \`callsheet serve\` goes on by itself. ${begins.text}`];
  if (works.runner !== null) return [`${name}: ${works.runner} collects and calls nobody.`];
  const run = `callsheet run ${shellWord(name)}`;
  // A doubt keeps nobody else from being called.
  const next = situation.is === 'doubts' && progress.waiting > 0 ? run : (todo ?? run);
  return [`${name} is not over, and nobody calls: \`${next}\`.`];
}

/** `pid 4711 since 18:02`, with the day if that is not today. */
function runnerText(
  runner: string | null,
  { since, now }: { since: number | null; now: number },
  timezone: string,
): string | null {
  if (runner === null || since === null) return runner;
  return `${runner} since ${shortTime(since, now, timezone)}`;
}
