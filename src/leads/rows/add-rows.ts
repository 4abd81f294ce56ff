import type { E164 } from '../../domain/phone.ts';
import type { AddedLeads, List, NewLead, PhoneFacts, Store } from '../../store/port.ts';
import { isFictional } from '../phone/fictional.ts';
import type { ListRow } from './list-row.ts';
import { alreadyInCampaign, suppressed } from './refusal.ts';

interface Destination {
  campaignId: string;
  list: List;
  /** True when an earlier import may have added rows of this list. */
  resumed: boolean;
}

/**
 * Adds the good ones of at most 1,000 rows, and those of people who asked not to be called, in one transaction.
 * What an earlier import took from a line stays as it is, also where another `country` would read the number
 * differently today.
 *
 * @returns the rows; those whose number another list has brought already have become duplicates, those that
 *   nobody may call suppressed. `wrote`: false where there was nothing to add, and the store was only read
 */
export async function addRows(
  store: Store,
  { campaignId, list, resumed }: Destination,
  rows: ListRow[],
): Promise<{ added: number; rows: ListRow[]; wrote: boolean }> {
  const taken = resumed
    ? await takenLines(store, campaignId, list, rows)
    : new Map<number, Taken>();
  await suppressRejected(store, list, rows);
  const fresh: NewLead[] = [];
  const judged = rows.map((row) => {
    const lead = taken.get(row.line);
    if (lead !== undefined) return asTaken(row, lead);
    if (row.kind === 'good') {
      fresh.push({ phone: row.phone, line: row.line, cells: row.cells });
    } else if (row.kind === 'suppressed') {
      const { line, cells, phones, refusal } = row;
      const doNotCall = { note: `${list.path} line ${line}: ${refusal.text}`, phones };
      fresh.push({ phone: phones[0], line, cells, doNotCall });
    }
    return row;
  });
  if (fresh.length === 0) return { added: 0, rows: judged, wrote: false };
  const answer = await store.addLeads(list.id, fresh);
  return { added: answer.added, rows: withAnswer(judged, answer), wrote: true };
}

/**
 * Marks rows by what the store knows of their numbers before anything is written: `addRows` will say the same.
 *
 * @param facts of the good rows, in their order
 */
export function withFacts(
  rows: ListRow[],
  facts: readonly PhoneFacts[],
  sha256: string,
): ListRow[] {
  let next = 0;
  return rows.map((row) => {
    const fact = row.kind === 'good' ? facts[next++] : undefined;
    if (row.kind !== 'good' || fact === undefined) return row;
    const { line, cells, notes, phone } = row;
    const { known } = fact;
    // A row that an import of this very list has brought is no duplicate of itself.
    if (known !== null && known.sha256 !== sha256) {
      const refusal = alreadyInCampaign(phone, known.line, known.list);
      return { kind: 'duplicate', line, cells, notes, refusal };
    }
    if (known === null && fact.suppressed !== null) {
      const refusal = suppressed(phone, fact.suppressed);
      return { kind: 'suppressed', line, cells, notes, phones: [phone], refusal };
    }
    if (fact.elsewhere !== null) notes.push(elsewhereNote(line, phone, fact.elsewhere));
    return row;
  });
}

/** Before the leads: who waits already ends by it, and who comes with these rows is held. */
async function suppressRejected(store: Store, list: List, rows: readonly ListRow[]): Promise<void> {
  const entries = rows.flatMap((row) => {
    if (row.kind !== 'rejected' || row.doNotCall === undefined) return [];
    const { phones, note: why } = row.doNotCall;
    const note = `${list.path} line ${row.line}: ${why}`;
    const entry = { at: list.at, source: 'list', note, who: 'callsheet', expiresAt: null } as const;
    return phones.map((phone) => ({ ...entry, phone }));
  });
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE)
    await store.suppress(entries.slice(from, from + ENTRIES_AT_ONCE));
}

/** The store takes no more at once. */
const ENTRIES_AT_ONCE = 1_000;

type Taken = { phone: E164; isSuppressed: boolean; reason: string };

/** The lines among those of `rows` from which the list has a lead, with its number. */
async function takenLines(
  store: Store,
  campaignId: string,
  list: List,
  rows: ListRow[],
): Promise<Map<number, Taken>> {
  const before = { list: list.number, line: (rows[0]?.line ?? 1) - 1 };
  const page = await store.exportPage(campaignId, before, rows.length, 'columns');
  const ours = page.filter(({ cursor }) => cursor.list === list.number);
  return new Map(
    ours.map(({ cursor, phone, result, reason }) => [
      cursor.line,
      { phone, isSuppressed: result === 'suppressed', reason: reason ?? 'not to be called' },
    ]),
  );
}

function asTaken({ line, cells, notes }: ListRow, { phone, isSuppressed, reason }: Taken): ListRow {
  if (!isSuppressed)
    return { kind: 'good', line, cells, notes, phone, fictional: isFictional(phone) };
  const refusal = { code: 'suppressed', text: `${phone} is ${reason}` } as const;
  return { kind: 'suppressed', line, cells, notes, phones: [phone], refusal };
}

function withAnswer(rows: ListRow[], { duplicates, suppressed: held }: AddedLeads): ListRow[] {
  const known = new Map(duplicates.map((duplicate) => [duplicate.line, duplicate]));
  const ended = new Map(held.map((lead) => [lead.line, lead]));
  return rows.map((row) => {
    // Whoever asked not to be called was told so to the suppression list, whether or not the lead is new.
    if (row.kind !== 'good') return row;
    const { line, cells, notes } = row;
    const end = ended.get(line);
    if (end !== undefined) {
      const refusal = suppressed(end.phone, end.why);
      return { kind: 'suppressed', line, cells, notes, phones: [end.phone], refusal };
    }
    const first = known.get(line);
    if (first === undefined) return row;
    const refusal = alreadyInCampaign(first.phone, first.firstLine, first.firstList);
    return { kind: 'duplicate', line, cells, notes, refusal };
  });
}

function elsewhereNote(
  line: number,
  phone: E164,
  { campaign, ...at }: NonNullable<PhoneFacts['elsewhere']>,
) {
  const where = `campaign "${campaign}" (line ${at.line} of ${at.list})`;
  return { code: 'other_campaign', text: `line ${line}: ${phone} is in ${where}, too` } as const;
}
