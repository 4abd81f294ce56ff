import { basename } from 'node:path';
import { jsonAnalytics } from '../../../results/formats/json-row.ts';
import { nameIn } from '../../../results/person-name.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import type { Campaign, FoundLead, HistoryEntry, Store } from '../../../store/port.ts';
import { openSqliteStore } from '../../../store/sqlite/open.ts';
import { defineCommand } from '../../args/command.ts';
import { databasePlaces } from '../../../app/places/databases.ts';
import type { CommandIo } from '../../io.ts';
import { historyJson, rowJson } from '../../print/json-times.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, printLines, printTable, say } from '../../terminal/output.ts';
import { personLines, type Person } from '../../print/person-lines.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';

/** So many people are listed. */
const LISTED = 50;
/** So many are shown with everything that is known of them. */
const IN_FULL = 3;

export const show = defineCommand({
  arguments: {
    who: {
      describe: 'number, line of the list, call id, external id, a cell, or part of one',
      required: true,
    },
  },
  options: {
    campaign: { type: 'text', describe: 'only this campaign' },
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    ['show +12125550123', 'every attempt and transcript of this number, in all campaigns'],
    ['show 17 --campaign spring', 'the person of line 17 of the list'],
    ["show 'ann mill'", 'everybody with such a name, or company, or email'],
  ],
  run: async (args, io) => {
    const people: Person[] = [];
    let isMore = false;
    for (const { path } of databasePlaces(args, io)) {
      const store = openSqliteStore({ path, mode: 'read' });
      try {
        const campaigns = await store.listCampaigns();
        const found = (await store.findLeads(args.who, LISTED + 1)).filter(
          ({ campaign }) => args.campaign === undefined || campaign === args.campaign,
        );
        isMore ||= found.length > LISTED;
        const inFull = args.json || people.length + found.length <= IN_FULL;
        for (const lead of found.slice(0, LISTED)) {
          const campaign = campaigns.find(({ id }) => id === lead.campaignId);
          if (campaign !== undefined) people.push(await personOf(store, lead, campaign, inFull));
        }
      } finally {
        await store.close();
      }
    }
    if (people.length === 0) throw nobody(args, io);
    if (args.json) printJson(io, people.map(viewOf));
    else if (people.length <= IN_FULL) printLines(io, people.flatMap(personLines));
    else listPeople(people, isMore, io);
    return EXIT.ok;
  },
});

async function personOf(
  store: Store,
  found: FoundLead,
  campaign: Campaign,
  inFull: boolean,
): Promise<Person> {
  const lists = await store.lists(campaign.id);
  const list = lists.find(({ number }) => number === found.list);
  const attempts = inFull ? await store.attemptsOf(campaign.id, found.phone) : [];
  const history = inFull ? (await store.history(campaign.id)).filter(concerns(found.phone)) : [];
  return { found, campaign, list, attempts, history };
}

/** What was done to this person, not to the campaign. */
function concerns(phone: string): (entry: HistoryEntry) => boolean {
  return ({ detail }) => detail['phone'] === phone;
}

function viewOf({ found, campaign, list, attempts, history }: Person) {
  const { cells, ...lead } = found;
  return {
    ...lead,
    simulated: campaign.simulated,
    list: list?.path ?? null,
    cells: cells.map((value, i) => ({ column: list?.headers[i] ?? '', value })),
    attempts: attempts.map((row) => ({
      ...rowJson(row, campaign.settings.timezone).attempt,
      analytics: jsonAnalytics(row.analytics),
      capturedLeads: row.capturedLeads,
    })),
    history: history.map((entry) => historyJson(entry, campaign.settings.timezone)),
  };
}

function listPeople(people: readonly Person[], isMore: boolean, io: CommandIo): void {
  printTable(
    io,
    ['NUMBER', 'NAME', 'STATE', 'ATTEMPTS', 'CAMPAIGN', 'LIST', 'LINE'],
    people.map(({ found, list }) => [
      found.phone,
      nameIn(list?.headers ?? [], found.cells),
      found.result ?? found.state,
      found.attempts,
      found.campaign,
      list === undefined ? null : basename(list.path),
      found.line,
    ]),
  );
  const more = isMore ? `These are the first ${LISTED}. ` : '';
  say(io, `${more}\`callsheet show NUMBER\` shows one of them with every attempt and transcript.`);
}

function nobody(
  { who, campaign, db }: { who: string; campaign: string | undefined; db: string | undefined },
  io: CommandIo,
): AppError {
  const where = databasePlaces({ db }, io).map(({ path }) => path);
  const place = where.length === 0 ? locateDatabase({ db }, io, false).path : where.join(' and ');
  const inCampaign = campaign === undefined ? '' : ` in campaign "${campaign}"`;
  return new AppError('LEAD_UNKNOWN', `Nobody is found by "${who}"${inCampaign}, in ${place}.`, {
    hint: 'give a number, a line of the list, a call id, an external id, or part of a name; `callsheet list` shows the campaigns',
    exitCode: EXIT.usage,
  });
}
