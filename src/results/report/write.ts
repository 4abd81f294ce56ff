import type { Writable } from 'node:stream';
import type { Campaign, ExportRow, Store } from '../../store/port.ts';
import { figuresOf } from '../figures.ts';
import { writeOut } from '../target.ts';
import { nameIn } from '../rows.ts';
import { zonedTime } from '../../text/times.ts';
import { callDetails, type NightOfPage } from './night-section.ts';
import type { Html } from './charts.ts';
import { callsHead, pageFoot, pageHead } from './page.ts';

export interface ReportOptions {
  store: Store;
  campaign: Pick<Campaign, 'id'>;
  to: string | Writable;
  /** How many of the newest calls the page shows; 0 for none. */
  calls: number;
  /** The time of the report, epoch ms. */
  at: number;
  /** The night of the page, which says what it has brought; default: none. */
  night?: NightOfPage | null;
}

/**
 * Writes a campaign as one page for a browser: figures as charts and tables, then the newest calls with their
 * transcripts. The page is self-contained: it has no script and loads nothing.
 *
 * @returns `rows`: the number of calls on the page; the resolved path, null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`
 */
export async function writeReport({
  store,
  campaign: { id },
  to,
  calls,
  at,
  night = null,
}: ReportOptions): Promise<{ rows: number; path: string | null }> {
  return writeOut(to, (sink) =>
    store.snapshot(id, async (snapshot) => {
      const { campaign, lists } = snapshot;
      const newest = lastOf(calls);
      const alone = night?.alone === true ? night.change.tonight.night : null;
      const counted = { detail: 'everything', onCall: newest.add, night: alone } as const;
      const figures = await figuresOf(snapshot, counted);
      const byNumber = new Map(lists.map((list) => [list.number, list]));
      const time = zonedTime(campaign.settings.timezone);
      const put = (piece: Html) => sink(piece.html);
      const rows = newest.all().toReversed();
      await put(pageHead(campaign, figures, night));
      if (rows.length > 0) await put(callsHead(rows.length, figures));
      for (const row of rows) {
        await put(callDetails(row, time, nameIn(byNumber.get(row.cursor.list), row.cells)));
      }
      await put(pageFoot(time(at), rows.length > 0));
      return rows.length;
    }),
  );
}

/** Keeps the last `limit` rows in their order; at most twice that number is in memory. */
function lastOf(limit: number) {
  let kept: ExportRow[] = [];
  return {
    add: (row: ExportRow) => {
      if (limit === 0) return;
      // The raw answer is the largest part of a row and is not shown, so it is not kept in memory.
      const { analytics } = row;
      kept.push(analytics === null ? row : { ...row, analytics: { ...analytics, raw: null } });
      if (kept.length >= 2 * limit) kept = kept.slice(-limit);
    },
    all: () => kept.slice(-limit),
  };
}
