import type { E164 } from '../domain/phone.ts';
import type { AddedLeads, List, NewLead, Store } from '../store/port.ts';
import { isFictional } from './fictional.ts';
import type { ListRow } from './read-list.ts';
import { alreadyInCampaign } from './refusal.ts';

/**
 * Adds the good ones of at most 1,000 rows, in one transaction. What an earlier import took from a line
 * stays as it is, also where another `country` would read the number differently today.
 *
 * @param resumed true when an earlier import may have added rows of this list
 * @returns the rows; those whose number another list has brought already have become duplicates
 */
export async function addRows(
  store: Store,
  { campaignId, list, resumed }: { campaignId: string; list: List; resumed: boolean },
  rows: ListRow[],
): Promise<{ added: number; rows: ListRow[] }> {
  const taken = resumed ? await takenLines(store, campaignId, list, rows) : new Map<number, E164>();
  const fresh: NewLead[] = [];
  const judged = rows.map((row) => {
    const phone = taken.get(row.line);
    if (phone !== undefined) return asTaken(row, phone);
    if (row.kind === 'good') {
      fresh.push({ phone: row.phone, line: row.line, cells: row.cells });
    }
    return row;
  });
  if (fresh.length === 0) return { added: 0, rows: judged };
  const { added, duplicates } = await store.addLeads(list.id, fresh);
  return { added, rows: withDuplicates(judged, duplicates) };
}

/** The lines among those of `rows` from which the list has a lead, with its number. */
async function takenLines(
  store: Store,
  campaignId: string,
  list: List,
  rows: ListRow[],
): Promise<Map<number, E164>> {
  const before = { list: list.number, line: (rows[0]?.line ?? 1) - 1 };
  const page = await store.exportPage(campaignId, before, rows.length);
  const ours = page.filter(({ cursor }) => cursor.list === list.number);
  return new Map(ours.map(({ cursor, phone }) => [cursor.line, phone]));
}

function asTaken({ line, cells, notes }: ListRow, phone: E164): ListRow {
  return { kind: 'good', line, cells, notes, phone, fictional: isFictional(phone) };
}

function withDuplicates(rows: ListRow[], duplicates: AddedLeads['duplicates']): ListRow[] {
  const byLine = new Map(duplicates.map((duplicate) => [duplicate.line, duplicate]));
  return rows.map((row) => {
    const known = byLine.get(row.line);
    if (known === undefined) return row;
    const { line, cells, notes } = row;
    const refusal = alreadyInCampaign(known.phone, known.firstLine, known.firstList);
    return { kind: 'duplicate', line, cells, notes, refusal };
  });
}
