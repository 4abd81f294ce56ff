import { open } from 'node:fs/promises';
import { constants, inflateRawSync } from 'node:zlib';

/** The bytes read from the beginning: enough for a header with long cells, and for a first row with a transcript. */
const LOOKED_AT_BYTES = 1 << 20;
/** The column by which results are recognised; every format with columns has it, unless --columns leaves it out. */
const MARK = 'call_phone';

/**
 * True for a file that callsheet wrote as results, captured leads or report, judged by its header or first row, which
 * survive copies, restored disks and moves to another machine. Also true for an empty file, where nothing can be lost.
 *
 * @throws as `node:fs`
 */
export async function isOurs(path: string): Promise<boolean> {
  const head = await beginning(path);
  if (head.length === 0) return true;
  if (head.subarray(0, 4).equals(ZIP)) return isWorkbook(head);
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  if (text.startsWith('{')) return isRow(text);
  if (text.startsWith('<')) return REPORT.every((part) => text.includes(part));
  return headerOf(text).includes(MARK);
}

async function beginning(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(LOOKED_AT_BYTES);
    const { bytesRead } = await file.read(bytes, 0, LOOKED_AT_BYTES, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** True for a JSON object with the key `call_phone`; a first line longer than the read bytes is searched as text. */
function isRow(text: string): boolean {
  const line = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  try {
    return MARK in (JSON.parse(line) as object);
  } catch {
    return line.length === text.length && line.includes(`"${MARK}":"+`);
  }
}

/** Texts in the head of every report. */
const REPORT = [
  `content="default-src 'none'; style-src 'unsafe-inline'"`,
  ': calls</title>',
] as const;

/** The cells of the first row of a CSV file, which may hold line breaks within quotes. */
function headerOf(text: string): string[] {
  const cells: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y;
  for (;;) {
    const [, value = '', end = ''] = cell.exec(text) ?? [];
    cells.push(value.replaceAll(/^"|"$/g, '').replaceAll('""', '"'));
    if (end !== ',') return cells;
  }
}

const ZIP = Buffer.from('PK\u0003\u0004');
const LOCAL_HEADER_BYTES = 30;

/** A workbook of callsheet begins with its first sheet, whose first row is the header; others begin differently. */
function isWorkbook(head: Buffer): boolean {
  if (head.length < LOCAL_HEADER_BYTES) return false;
  const nameEnd = LOCAL_HEADER_BYTES + head.readUInt16LE(26);
  if (head.toString('utf8', LOCAL_HEADER_BYTES, nameEnd) !== 'xl/worksheets/sheet1.xml')
    return false;
  try {
    const packed = head.subarray(nameEnd + head.readUInt16LE(28));
    // Only the beginning of the file was read, so the missing end is not an error.
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * LOOKED_AT_BYTES };
    const sheet = inflateRawSync(packed, options).toString('utf8');
    return sheet.slice(0, sheet.indexOf('</row>')).includes(`>${MARK}<`);
  } catch {
    return false;
  }
}
