import { isHeard } from '../../domain/time-units.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AddedLeads, ImportedLead, List, NewLead, Store } from '../../store/port.ts';
import { isFictional } from '../phone/parse-phone.ts';
import { batchesOf } from '../read/row.ts';
import type { ListRow } from './list-row.ts';
import { optOutsOf, stopsOf } from './opt-outs.ts';
import { rowRefusal } from './row-person.ts';

/**
 * Adds at most 1,000 rows in one transaction: the good ones and those of people who asked not to be called. Leads of
 * earlier lists that are not done are corrected, or stopped where the row forbids the call. A lead that an earlier
 * import made from the same line stays as it is, even where another `country` would read its number differently.
 * @param resumed true where an earlier import may have added rows of this list
 * @returns the rows; one whose number came with another list is now a duplicate, one whose number must not be called is
 *   now suppressed. `wrote`: false where there was nothing to add, so the store was only read
 */
export async function addRows(
  store: Store,
  { list, resumed, campaignId }: { list: List; resumed: boolean; campaignId: string },
  rows: ListRow[],
): Promise<AddedRows> {
  const [from, to] = [rows[0]?.line ?? 1, rows.at(-1)?.line ?? 1];
  const imported = resumed ? await store.importedLeads(list.id, from, to) : [];
  const before = new Map(imported.map((lead) => [lead.line, lead]));
  await suppressRejected(store, list, rows);
  const fresh: NewLead[] = [];
  const judged = rows.map((row) => {
    const lead = before.get(row.line);
    if (lead !== undefined) return asImported(row, lead);
    if (row.kind === 'good') {
      const { phone, line, cells, place, times, person, alternatives } = row;
      const more = { ...(person && { person }), ...(alternatives && { alternatives }) };
      fresh.push({ phone, line, cells, ...place, ...times, ...more });
    } else if (row.kind === 'suppressed') {
      const { line, cells, phones, refusal, place, person } = row;
      const [phone, ...others] = phones;
      const doNotCall = { note: `${list.path} line ${line}: ${refusal.text}`, phones };
      const zoneKey = place?.zoneKey ?? '';
      const alternatives = others.map((other) => ({ phone: other, zoneKey }));
      const who = person && { person };
      fresh.push({ phone, line, cells, doNotCall, alternatives, ...place, ...who });
    } else if (row.kind === 'duplicate' && row.phone !== undefined && row.times !== undefined) {
      // The store has the number by an earlier row; it keeps the stricter of the days.
      const { phone, line, cells, times } = row;
      fresh.push({ phone, line, cells, ...times });
    }
    return row;
  });
  const stops = rows.flatMap((row) => stopsOf(list, row));
  const wrote = fresh.length + stops.length > 0;
  const answer = fresh.length === 0 ? NOTHING : await store.addLeads(list.id, fresh);
  // Last, so that of two rows of a person the one that says no holds.
  const stopped = stops.length === 0 ? 0 : await store.stopLeads(campaignId, list.sha256, stops);
  const { added, corrected } = answer;
  return {
    added,
    corrected,
    stopped: stopped + answer.stopped,
    rows: withAnswer(judged, answer),
    wrote,
  };
}

/** `corrected` and `stopped` count leads of earlier lists. */
interface AddedRows {
  added: number;
  corrected: number;
  stopped: number;
  rows: ListRow[];
  wrote: boolean;
}

const NOTHING: AddedLeads = { added: 0, suppressed: [], duplicates: [], corrected: 0, stopped: 0 };

/**
 * Suppresses the numbers of rejected rows that ask not to be called. Done before the leads are added, so that a lead
 * with the same number is suppressed, too.
 */
async function suppressRejected(store: Store, list: List, rows: readonly ListRow[]): Promise<void> {
  const rejected = rows.filter(({ kind }) => kind === 'rejected');
  const entries = rejected.flatMap((row) => optOutsOf(list, row));
  // The store takes at most 1,000 entries at once.
  for (const some of batchesOf(entries)) await store.suppress(some);
}

function asImported(row: ListRow, lead: ImportedLead): ListRow {
  const { line, cells, notes } = row;
  const { phone, suppressed: why } = lead;
  if (why === null) {
    const place = row.kind === 'good' ? row.place : undefined;
    return { kind: 'good', line, cells, notes, phone, fictional: isFictional(phone), place };
  }
  const refusal = { code: 'suppressed', text: `${phone} is ${why}` } as const;
  return { kind: 'suppressed', line, cells, notes, phones: [phone], refusal };
}

function withAnswer(rows: ListRow[], { duplicates, suppressed: held }: AddedLeads): ListRow[] {
  const known = new Map(duplicates.map((duplicate) => [duplicate.line, duplicate]));
  const ended = new Map(held.map((lead) => [lead.line, lead]));
  return rows.map((row) => {
    // Rows that ask not to be called keep that reason, whether or not the lead was new.
    if (row.kind !== 'good') return row;
    const { line, cells, notes } = row;
    const end = ended.get(line);
    if (end !== undefined) {
      const refusal = rowRefusal('suppressed', end.phone, end.why);
      return { kind: 'suppressed', line, cells, notes, phones: [end.phone], refusal };
    }
    const first = known.get(line);
    if (first === undefined) return row;
    const refusal = rowRefusal(
      'already_in_campaign',
      first.phone,
      first.firstLine,
      first.firstList,
    );
    return { kind: 'duplicate', line, cells, notes, refusal };
  });
}

/** Rows in a transaction while no runner is at work: the most that the store takes at once. */
const ROWS_ALONE = 1_000;

/**
 * Rows in a transaction while a runner is at work: they take about as long as one of the runner's own commits, in
 * whatever order their numbers come.
 */
const ROWS_BESIDE = 40;

/** SQLite has no queue for writers: a waiting process retries every few ms, and must then find the database free. */
const REST_MS = 10;

const ASK_AGAIN_MS = 1_000;

/**
 * Leaves most of the database's time to the runners of all its campaigns; without a runner, the import takes all of it.
 * Without this throttle, the slowest 1 % of a runner's commits during an import take 978 ms instead of 45 ms, on a
 * machine with other work.
 */
export async function importThrottle(store: Store, clock: Clock) {
  let beside = await anyRunner(store, clock);
  let askedAt = clock.monotonic();
  return {
    rows: () => (beside ? ROWS_BESIDE : ROWS_ALONE),
    /** To be awaited after each transaction. */
    rest: async () => {
      if (clock.monotonic() - askedAt >= ASK_AGAIN_MS) {
        beside = await anyRunner(store, clock);
        askedAt = clock.monotonic();
      }
      if (beside) await clock.sleep(REST_MS);
    },
  };
}

async function anyRunner(store: Store, clock: Clock): Promise<boolean> {
  for (const { id, state } of await store.listCampaigns()) {
    if (state === 'draft') continue;
    const runners = await store.runners(id);
    if (runners.some((runner) => isHeard(runner, clock.now()))) return true;
  }
  return false;
}
