import type { ExportDetail } from '../../store/port.ts';
import type { Column } from '../columns.ts';
import type { ResultRow } from '../rows.ts';

/** Where a file goes, chunk by chunk. */
export type Sink = (chunk: string | Uint8Array) => Promise<void>;

/** One way to write results; rows come page by page. */
export interface ResultFormat {
  /** What it writes of a lead: its columns only, or `turns` and `raw`, too. */
  detail: ExportDetail;
  begin(columns: readonly Column[], sink: Sink): Promise<RowWriter>;
}

export interface RowWriter {
  add(rows: readonly ResultRow[]): Promise<void>;
  end(): Promise<void>;
}
