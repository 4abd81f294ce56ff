import type { Column } from '../columns.ts';

/** Where a file goes, chunk by chunk. */
export type Sink = (chunk: string | Uint8Array) => Promise<void>;

/** One way to write rows, which come page by page; begins with their columns. */
export type ResultFormat = <Row>(
  columns: readonly Column<Row>[],
  sink: Sink,
) => Promise<{ add(rows: readonly Row[]): Promise<void>; end(): Promise<void> }>;
