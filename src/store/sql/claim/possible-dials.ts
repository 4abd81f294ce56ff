import type { CampaignSettings } from '../../../domain/campaign.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { AppError } from '../../../runtime/errors.ts';
import type { JournalEntry } from '../../claims.ts';
import type { Sql } from '../sql.ts';
import { keyOf } from './intents.ts';

/** A damaged line of the journal, with the nearest whole dials before and after it. */
export interface DamagedLine {
  /** Offset in the file. */
  at: number;
  text: string;
  before: JournalEntry | undefined;
  after: JournalEntry | undefined;
}

/**
 * A dial whose sequence number is not known, so that only a span is known in which it was made. Evidence is looked for from
 * the begin of the span on (`intentAt`); slot, caps and silences count from its end (`beginsAt`), so that none ends too soon.
 */
export type PossibleDial = Omit<JournalEntry, 'seq'> & {
  seq: null;
  leadRow: number;
  beginsAt: number;
};

/** How a damaged line is mended. */
interface Mending {
  /** The last whole line of the journal. */
  last: JournalEntry | undefined;
  mendAt: number;
  /** The line may be about anybody. */
  unmendable: (line: DamagedLine) => AppError;
}

/** After this time every claim that was in progress has been committed or its process has ended, ms. */
const LONGEST_CLAIM_MS = 10 * 60_000;

/** @param selectDialled finds an attempt */
export function possibleDialStatements(
  sql: Sql,
  selectDialled: (seq: number, key: string) => number | undefined,
) {
  const selectWaiting = sql.iterate<[], WaitingLead>(
    `SELECT leads.row, campaign_id AS campaignId, phone, spent, not_called AS notCalled, service, settings,
       (SELECT json_group_array(phone) FROM lead_numbers WHERE lead_row = leads.row) AS others
     FROM leads JOIN campaigns ON campaigns.id = leads.campaign_id WHERE leads.state = 'waiting'`,
  );
  const selectKey = sql.value<[key: string], number>('SELECT 1 FROM attempts WHERE key = ?');
  const selectOwn = sql.value<[seq: number, key: string], number>(
    "SELECT 1 FROM attempts WHERE seq = ? AND key = ? AND owner_host <> ''",
  );

  function waitingIn({ text, before, after }: DamagedLine, mendAt: number): PossibleDial[] {
    const dials: PossibleDial[] = [];
    for (const lead of selectWaiting()) {
      const { campaignId, spent, service, settings } = lead;
      // The database may be older than the line, so that another of the person's numbers is dialled next.
      const numbers = [lead.phone, ...(JSON.parse(lead.others) as E164[])];
      const named = numbers
        .map((dial) => ({ dial, key: keyOf(campaignId, { ...lead, dial }) }))
        .find(({ dial, key }) => text.includes(key) || text.includes(`"${dial}"`));
      if (named === undefined) continue;
      const { agent } = JSON.parse(settings) as CampaignSettings;
      const latest = after?.intentAt ?? mendAt;
      const intentAt = before?.intentAt ?? latest;
      const { key, dial: phone } = named;
      const dial = { campaignId, key, ordinal: spent + 1, phone, service, agent, intentAt };
      const beginsAt = Math.max(intentAt, latest);
      dials.push({ seq: null, leadRow: lead.row, ...dial, beginsAt });
    }
    return dials;
  }

  /** True when sequence number and key are readable, and the database has the attempt with both. */
  function isThere({ text }: DamagedLine): boolean {
    const [, seq] = /"seq":(\d+),/.exec(text) ?? [];
    const [, key] = /"key":"([0-9a-f]{32})"/.exec(text) ?? [];
    return seq !== undefined && key !== undefined && selectDialled(Number(seq), key) !== undefined;
  }

  /** True when a key in the line is that of an attempt in the database, so that the line is not about a waiting lead. */
  function isKnown({ text }: DamagedLine): boolean {
    return [...text.matchAll(/[0-9a-f]{32}/g)].some(([key]) => selectKey(key) !== undefined);
  }

  /** True when this database itself wrote an attempt long after the line; a recovered attempt would prove nothing. */
  function isCovered({ before, after }: DamagedLine, last: JournalEntry | undefined): boolean {
    const neighbour = after ?? before;
    if (last === undefined || neighbour === undefined) return false;
    if (last.intentAt < neighbour.intentAt + LONGEST_CLAIM_MS) return false;
    return selectOwn(last.seq, last.key) !== undefined;
  }

  /**
   * The waiting leads whose number or key is in a damaged line. The line endangers nobody when its key is that of an
   * attempt in the database, or when the database itself has written an attempt that was journalled long after the line.
   */
  return (line: DamagedLine, { last, mendAt, unmendable }: Mending): PossibleDial[] => {
    if (isThere(line)) return [];
    const found = waitingIn(line, mendAt);
    if (found.length > 0) return found;
    if (!isKnown(line) && !isCovered(line, last)) throw unmendable(line);
    return [];
  };
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
