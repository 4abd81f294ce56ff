import type { ExportDetail } from '../../store/port.ts';
import type { Column } from './layout.ts';
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

/** The value of a table's cell. */
export function cellOf(column: Column, { own, call }: ResultRow): string | number | null {
  switch (column.kind) {
    case 'own':
      return own[column.index] ?? '';
    case 'call':
      return call[column.name];
    case 'extra':
      return null;
  }
}

/** The same for a format that tells numbers from text: money is a number there, of the same digits. */
export function typedCellOf(column: Column, row: ResultRow): string | number | null {
  const value = cellOf(column, row);
  return column.kind === 'call' && column.name === 'call_cost' && value !== null
    ? Number(value)
    : value;
}
