import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { E164 } from '../../domain/phone.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import { csvRows } from '../../leads/read/csv-rows.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { FoundLead } from '../../store/port.ts';
import type { FoundPerson, Person } from '../../views/people.ts';
import {
  databasePlaces,
  unknownCampaign,
  withCampaign,
  withStore,
  type CampaignRequest,
  type OpenCampaign,
} from '../places/databases.ts';
import {
  locateDatabase,
  nameOf,
  type DatabasePlace,
  type DatabaseRequest,
} from '../places/home.ts';
import { AS_IN_RESULTS } from '../typed.ts';
import type { World } from '../world.ts';
import { personOf } from './person.ts';

/** A row of a list that was not taken, as its rejects file has it. */
interface RejectedRow {
  file: string;
  /** The line of the list. */
  line: string;
  reason: string;
}

/** At most this many rows are told. */
const MOST_ROWS = 3;
/** A text with fewer digits than this is no phone number. */
const SHORTEST_NUMBER = 7;

/**
 * What is said of rejected rows to somebody who has looked in vain for a number, or for a text in a cell. The database
 * does not have these rows: their files are beside it, one of each import.
 *
 * @returns sentences; empty: no import has left a row
 */
async function rejectedSentences(databaseFolder: string, who: string): Promise<string[]> {
  const folder = join(databaseFolder, 'rejects');
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.csv'))
    : [];
  if (files.length === 0) return [];
  const rows: RejectedRow[] = [];
  for (const file of files.toSorted()) {
    for await (const row of rowsOf(join(folder, file), who)) {
      if (rows.length < MOST_ROWS) rows.push(row);
    }
  }
  if (rows.length === 0)
    return [`Rows that imports did not take are in ${folder}; no row there has it either.`];
  return rows.map(({ file, line, reason }) =>
    line === who
      ? `Line ${line} of its list was not taken: ${reason} (kept in ${file}).`
      : `Line ${line} of its list has it and was not taken: ${reason} (kept in ${file}).`,
  );
}

async function* rowsOf(path: string, who: string): AsyncGenerator<RejectedRow> {
  let isHeader = true;
  try {
    for await (const rows of csvRows(path, { delimiter: ',', encoding: 'utf-8' })) {
      for (const { cells } of rows) {
        const [line = '', reason = ''] = cells.slice(-2);
        const own = cells.slice(0, -2);
        const isThis = line === who || own.some((cell) => matches(cell, who));
        if (!isHeader && isThis) yield { file: path, line, reason };
        isHeader = false;
      }
    }
  } catch (error) {
    // Somebody is mending the file and has left it unreadable: its folder is named all the same.
    if (!(error instanceof AppError)) throw error;
  }
}

/** The same number, perhaps without its country code on one of both sides; or the text in the cell. */
function matches(cell: string, who: string): boolean {
  const [have, want] = [numberIn(cell), numberIn(who)];
  if (want === null) return cell.toLowerCase().includes(who.trim().toLowerCase());
  return have !== null && (have.endsWith(want) || want.endsWith(have));
}

function numberIn(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return /^[+\d\s()./x-]+$/i.test(text.trim()) && digits.length >= SHORTEST_NUMBER ? digits : null;
}

/** At most this many people are found in one database. */
export const MOST_PEOPLE = 50;

export interface PeopleRequest extends DatabaseRequest {
  /** What to search for: a number, line of the list, call id, external id, a cell, or part of a cell. */
  who: string;
  campaign: string | undefined;
}

/**
 * Finds people in all campaigns.
 *
 * @returns the people, and whether there are more
 */
export async function findPeople(request: PeopleRequest, world: World) {
  const { found: people, isMore } = await findLeads(
    request,
    world,
    async (open, lead): Promise<FoundPerson> => ({ ...(await personOf(open, lead)), by: lead.by }),
  );
  return { people, isMore };
}

/** As `findPeople`; `read` makes what is wanted of each. */
export async function findLeads<T>(
  request: PeopleRequest,
  world: World,
  read: (open: OpenCampaign, lead: FoundLead) => T | Promise<T>,
): Promise<{ found: T[]; isMore: boolean }> {
  const people: T[] = [];
  const names: string[] = [];
  // A few digits are the line of a list, also of one that was not taken, before they are a part of somebody's cell.
  const isLine = /^\d{1,6}$/.test(request.who);
  let isMore = false;
  const places = databasePlaces(request, world);
  for (const place of places) {
    await withStore(place, 'read', world, async (store) => {
      const campaigns = await store.listCampaigns();
      names.push(...campaigns.map(({ name }) => name));
      const only = campaigns.find(({ name }) => name === request.campaign);
      if (request.campaign !== undefined && only === undefined) return;
      const all = await store.findLeads(request.who, MOST_PEOPLE + 1, only?.id);
      const found = all.filter(({ by }) => !(isLine && by === 'part'));
      isMore ||= found.length > MOST_PEOPLE;
      for (const lead of found.slice(0, MOST_PEOPLE)) {
        const campaign = campaigns.find(({ id }) => id === lead.campaignId);
        if (campaign !== undefined) people.push(await read({ store, campaign, world }, lead));
      }
    });
  }
  if (people.length > 0) return { found: people, isMore };
  const { who, campaign } = request;
  if (campaign !== undefined && !names.includes(campaign)) {
    throw await unknownCampaign(campaign, places, request, world);
  }
  const searched = places.length === 0 ? [locateDatabase(request, world, false)] : places;
  const where = searched.map(nameOf).join(' and ');
  const rejected = await Promise.all(places.map(({ folder }) => rejectedSentences(folder, who)));
  const inCampaign = campaign === undefined ? '' : ` in campaign "${campaign}"`;
  const parsed = parsePhone(who, null);
  const what = parsed.ok
    ? [
        `${parsed.phone} is on no list and was never called${inCampaign}, in ${where}.`,
        ...(await suppressions(parsed.phone, places, world)),
      ]
    : [`Nobody was found for "${who}"${inCampaign}, in ${where}.`];
  throw usageError(
    'LEAD_UNKNOWN',
    [...what, ...rejected.flat()].join(' '),
    parsed.ok
      ? 'look for part of a name, an external id or a line of the list; `callsheet list` shows the campaigns'
      : 'give a number, a line of the list, a call id, an external id, or part of a name; `callsheet list` shows the campaigns',
  );
}

/** Whether somebody who is on no list may not be called all the same. */
async function suppressions(phone: E164, places: readonly DatabasePlace[], world: World) {
  const all: string[] = [];
  for (const place of places) {
    await withStore(place, 'read', world, async (store) => {
      const asked = { campaignId: null, phones: [phone], now: world.clock.now() };
      const [fact] = await store.lookUpPhones(asked);
      if (fact?.suppressed != null) all.push(`It is suppressed: ${fact.suppressed}.`);
    });
  }
  return all;
}

export interface PlaceRequest extends CampaignRequest {
  /** The list's number within the campaign. */
  list: number;
  line: number;
}

export function onePerson(request: PlaceRequest, world: World): Promise<Person> {
  return withCampaign(request, world, 'read', async (open) =>
    personOf(open, await leadAt(open, request)),
  );
}

export async function leadAt(
  { store, campaign }: OpenCampaign,
  { list, line }: Pick<PlaceRequest, 'list' | 'line'>,
): Promise<FoundLead> {
  const { id, name } = campaign;
  const before = { list, line: line - 1 };
  const [row] = await store.exportPage(id, before, 1, 'columns');
  const isThere = row?.cursor.list === list && row.cursor.line === line;
  const [found] = isThere ? await store.findLeads(row.phone, 1, id) : [];
  if (found !== undefined) return found;
  const message = `No lead of "${name}" comes from line ${line} of its list ${list}.`;
  throw usageError('LEAD_UNKNOWN', message, AS_IN_RESULTS);
}
