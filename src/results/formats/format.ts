import type { Column } from '../columns.ts';

/** Receives the content of a file, chunk by chunk. */
export type Sink = (chunk: string | Uint8Array) => Promise<void>;

/** A file format: writes the header at once, then rows page by page with `add`, and the end of the file with `end`. */
export type ResultFormat = <Row>(
  columns: readonly Column<Row>[],
  sink: Sink,
) => Promise<{ add(rows: readonly Row[]): Promise<void>; end(): Promise<void> }>;
