import { constants, existsSync } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { inflateRawSync, constants as zlib } from 'node:zlib';

import { fileTroubleOf } from '../domain/file-trouble.ts';
import { AppError, EXIT } from '../runtime/errors.ts';
import { beginFile, openSpool } from '../runtime/files.ts';
import type { Sink } from './format.ts';

/** Error codes of a full disk, which only a person can clear. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Checks before the calls that results can be written: creates a temporary file beside `path` and removes it. Makes
 * missing folders.
 */
export async function assertWritable(path: string): Promise<void> {
  await assertWritableUnwritten(path);
  const target = await resolveTarget(path);
  await explained(path, async () => {
    await (await beginFile(target)).discard();
  });
}

/** As `assertWritable`, without writing anything: checks that a file may be created in the nearest existing folder. */
export async function assertWritableUnwritten(path: string): Promise<void> {
  let folder = dirname(await resolveTarget(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  await explained(path, async () => {
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is no folder`);
    await access(folder, constants.W_OK | constants.X_OK);
  });
}

/** The path of the file to replace: a link is followed, so that the link stays; a folder or a device is refused. */
async function resolveTarget(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return path;
  if (found.isFile()) return realpath(path);
  const what = found.isDirectory() ? 'is a folder' : 'is not a regular file';
  throw notWritable(path, what);
}

/** Turns disk errors into an error that names the results file. @throws AppError `RESULTS_NOT_WRITABLE` */
async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw notWritable(path, fileTroubleOf(error, 'written').is, error);
  }
}

function notWritable(path: string, what: string, cause?: unknown): AppError {
  const isFull = FULL.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
  const hint = isFull
    ? 'make room on the disk, then export again: the results are kept in the database'
    : 'name a file in a folder that you may write to with -o, or -o - for the standard output';
  const message = `The results file ${path} ${what}; it must be a file that can be created or replaced.`;
  const exitCode = isFull ? EXIT.person : EXIT.usage;
  return new AppError('RESULTS_NOT_WRITABLE', message, { hint, exitCode, cause });
}

/**
 * Lets `write` write to a file, which appears under its name (mode 0600) only when it is complete and on disk, or to an
 * open stream, which is not ended.
 * @returns the number of rows that `write` returned, and the resolved path; null for a stream
 * @throws AppError `RESULTS_NOT_WRITABLE`, with an existing file untouched; errors of a stream are thrown unchanged
 */
export async function writeOut(
  to: string | Writable,
  write: (sink: Sink) => Promise<number>,
): Promise<{ rows: number; path: string | null }> {
  return typeof to === 'string' ? toFile(to, write) : toStream(to, write);
}

async function toFile(to: string, write: (sink: Sink) => Promise<number>) {
  const path = await resolveTarget(to);
  const file = await explained(to, () => beginFile(path));
  try {
    const rows = await write((chunk) => explained(to, () => file.write(chunk)));
    await explained(to, () => file.commit(path));
    return { rows, path };
  } finally {
    await file.discard();
  }
}

/** Writes to the disk first, so that the snapshot does not stay open for a slow reader, such as a pager. */
async function toStream(to: Writable, write: (sink: Sink) => Promise<number>) {
  const spool = await openSpool();
  try {
    const rows = await write(async (chunk) => {
      if (to.destroyed) throw to.errored ?? new Error('nobody reads this any more');
      await spool.write(chunk);
    });
    // Waits until the stream has taken each chunk, so that chunks do not pile up in memory for a slow reader.
    const take = promisify((chunk: Buffer, taken: (error?: Error | null) => void) =>
      to.write(chunk, taken),
    );
    for await (const chunk of spool.read()) await take(chunk);
    return { rows, path: null };
  } finally {
    await spool.close();
  }
}

/** The bytes read from the beginning: enough for a header with long cells, and for a first row with a transcript. */
const LOOKED_AT_BYTES = 1 << 20;
/** The column by which results are recognised; every format with columns has it, unless --columns leaves it out. */
const MARK = 'call_phone';

/**
 * True for a file that callsheet wrote as results, captured leads or report, judged by its header or first row, which
 * survive copies, restored disks and moves to another machine. Also true for an empty file, where nothing can be lost.
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
    const options = { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: 64 * LOOKED_AT_BYTES };
    const sheet = inflateRawSync(packed, options).toString('utf8');
    return sheet.slice(0, sheet.indexOf('</row>')).includes(`>${MARK}<`);
  } catch {
    return false;
  }
}
