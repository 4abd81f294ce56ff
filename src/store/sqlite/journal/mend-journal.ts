import type { Database } from 'better-sqlite3';

import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { E164 } from '../../../domain/phone.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import { shellWord } from '../../../text/wording.ts';
import { keyOf } from '../../sql/claim/intents.ts';
import type { JournalEntry } from '../../claims.ts';
import { lineNumber, type DamagedLine } from './journal-lines.ts';

/** A dial whose sequence number is not known. */
export type PossibleDial = Omit<JournalEntry, 'seq'> & { seq: null; leadRow: number };

/** After this time every claim that was in progress has been committed or its process has ended, ms. */
const LONGEST_CLAIM_MS = 10 * 60_000;

/**
 * Whom a damaged line may be about: the waiting leads whose number or key is in the line. The line endangers nobody
 * when its key is that of an attempt in the database, or when the database itself has written an attempt that was
 * journalled long after the line.
 * @param last the last whole line of the journal
 * @param path of the journal
 * @throws AppError `JOURNAL_NOT_MENDED` when it may be about anybody
 */
export function possibleDials(
  db: Database,
  line: DamagedLine,
  last: JournalEntry | undefined,
  path: string,
): PossibleDial[] {
  if (isThere(db, line)) return [];
  const found = waitingIn(db, line);
  if (found.length > 0) return found;
  if (!isKnown(db, line) && !isCovered(db, line, last)) throw unmendable(path, line);
  return [];
}

function waitingIn(db: Database, { text, before, after }: DamagedLine): PossibleDial[] {
  const waiting = db
    .prepare<[], WaitingLead>(
      `SELECT leads.row, campaign_id AS campaignId, phone, spent, not_called AS notCalled, service, settings,
         (SELECT json_group_array(phone) FROM lead_numbers WHERE lead_row = leads.row) AS others
       FROM leads JOIN campaigns ON campaigns.id = leads.campaign_id WHERE leads.state = 'waiting'`,
    )
    .iterate();
  const dials: PossibleDial[] = [];
  for (const lead of waiting) {
    const { campaignId, spent, service, settings } = lead;
    // The database may be older than the line, so that another of the person's numbers is dialled next.
    const numbers = [lead.phone, ...(JSON.parse(lead.others) as E164[])];
    const named = numbers
      .map((dial) => ({ dial, key: keyOf(campaignId, { ...lead, dial }) }))
      .find(({ dial, key }) => text.includes(key) || text.includes(`"${dial}"`));
    if (named === undefined) continue;
    const { agent } = JSON.parse(settings) as CampaignSettings;
    const intentAt = before?.intentAt ?? after?.intentAt ?? 0;
    const { key, dial: phone } = named;
    const dial = { campaignId, key, ordinal: spent + 1, phone, service, agent, intentAt };
    dials.push({ seq: null, leadRow: lead.row, ...dial });
  }
  return dials;
}

/** True when sequence number and key are readable, and the database has the attempt with both. */
function isThere(db: Database, { text }: DamagedLine): boolean {
  const [, seq] = /"seq":(\d+),/.exec(text) ?? [];
  const [, key] = /"key":"([0-9a-f]{32})"/.exec(text) ?? [];
  const known = db.prepare('SELECT 1 FROM attempts WHERE seq = ? AND key = ?');
  return seq !== undefined && known.get(Number(seq), key) !== undefined;
}

/** True when a key in the line is that of an attempt in the database, so that the line is not about a waiting lead. */
function isKnown(db: Database, { text }: DamagedLine): boolean {
  const known = db.prepare<[string]>('SELECT 1 FROM attempts WHERE key = ?').pluck();
  return [...text.matchAll(/[0-9a-f]{32}/g)].some(([key]) => known.get(key) !== undefined);
}

/** True when this database itself wrote an attempt long after the line; a recovered attempt would prove nothing. */
function isCovered(
  db: Database,
  { before, after }: DamagedLine,
  last: JournalEntry | undefined,
): boolean {
  const neighbour = after ?? before;
  if (last === undefined || neighbour === undefined) return false;
  if (last.intentAt < neighbour.intentAt + LONGEST_CLAIM_MS) return false;
  const own = db.prepare("SELECT 1 FROM attempts WHERE seq = ? AND key = ? AND owner_host <> ''");
  return own.get(last.seq, last.key) !== undefined;
}

interface WaitingLead extends Pick<JournalEntry, 'campaignId' | 'service'> {
  phone: E164;
  row: number;
  spent: number;
  notCalled: number;
  settings: string;
  /** The person's further numbers, a JSON array. */
  others: string;
}

/** Errors that stop all calls while the dial journal does not match its database; each needs a person (exit 5). */

interface Place {
  path: string;
  databasePath: string;
}

export function foreign({ path, databasePath }: Place): AppError {
  return refusal(
    'JOURNAL_OF_ANOTHER_DATABASE',
    `The dial journal ${path} belongs to a database other than ${databasePath}: it is not known here whom that one called, so nobody is called.`,
    'Put the old database back beside its journal (`callsheet restore FILE` does, from a backup), or give the new one a path of its own with --db.',
  );
}

export function beyond({ path, databasePath }: Place): AppError {
  return refusal(
    'JOURNAL_BEYOND_DATABASE',
    `The dial journal ${path} tells of calls for a campaign that ${databasePath} does not know: the database is older than those calls, or has lost its last commits, so nobody is called.`,
    'Put a newer backup in its place, one that has the campaign: `callsheet restore FILE`.',
  );
}

export function journalMissing(databasePath: string, path: string): AppError {
  return refusal(
    'JOURNAL_MISSING',
    `The database ${databasePath} has made calls, but its dial journal ${path} is missing, cut short or overwritten: a restored copy could call people again, so nobody is called.`,
    `Put ${path} back beside the database (copy both together). Where it is lost for good, \`callsheet export\` still writes the results; ask the service whom it has called since, and begin a new database (--db) with a list of the others.`,
  );
}

/** `JOURNAL_ELSEWHERE`: a second journal was written under another name of the same database. */
export function elsewhere(stray: string, path: string): AppError {
  return refusal(
    'JOURNAL_ELSEWHERE',
    `The database has two dial journals, ${path} and ${stray} beside a link to it: calls may stand in only one of them, so nobody is called.`,
    `Join them: \`cat ${shellWord(stray)} >> ${shellWord(path)} && mv ${shellWord(stray)} ${shellWord(`${stray}.joined`)}\`, then run again.`,
  );
}

export function damaged({ path, databasePath }: Place, line: DamagedLine): AppError {
  return refusal(
    'JOURNAL_DAMAGED',
    `${where(path, line)} is damaged: it is not certain whom it names, so nobody is called.`,
    `Check the disk. \`callsheet doctor --db ${shellWord(databasePath)} --mend-journal\` then finds out whom it may name, and counts them as called.`,
  );
}

function unmendable(path: string, line: DamagedLine): AppError {
  return refusal(
    'JOURNAL_NOT_MENDED',
    `${where(path, line)} is damaged so badly that it could name anybody who is waiting: nothing was changed, and nobody is called.`,
    'Put back a copy of the journal whose line is whole (a disk snapshot may have one). Where there is none, `callsheet export` still writes the results; ask the service whom it has called since, and begin a new database (--db) with a list of the others.',
  );
}

function where(path: string, { at, before, after }: DamagedLine): string {
  const neighbours = [
    ...(before === undefined ? [] : [`after ${dial(before)}`]),
    ...(after === undefined ? [] : [`before ${dial(after)}`]),
  ].join(' and ');
  const number = lineNumber(path, at);
  return `Line ${number} of the dial journal ${path}${neighbours === '' ? '' : ` (${neighbours})`}`;
}

function dial({ seq, intentAt }: JournalEntry): string {
  return `attempt a${seq} of ${new Date(intentAt).toISOString()}`;
}

function refusal(code: string, message: string, hint: string): AppError {
  return new AppError(code, message, { hint, exitCode: EXIT.person });
}
