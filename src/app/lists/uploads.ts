import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';

import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import { beginFile, makeFolder } from '../../runtime/files.ts';
import type { ConsoleStore, Upload } from '../../store/console.ts';
import type { List, Store } from '../../store/port.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { grouped } from '../../text/amounts.ts';
import { timesIn } from '../../text/times.ts';
import type { Upload as View, Uploads } from '../../views/lists.ts';
import { CONSOLE_DB } from '../access/listening.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import { SIMULATED_DB, type DatabasePlace, type DatabaseRequest } from '../places/home.ts';
import type { World } from '../world.ts';

type Zone = Pick<World, 'timezone'>;

const MOST_BYTES = 200;

/**
 * The name of an uploaded file, safe as a name on disk: without folders, control characters and dots in front, at most
 * 200 bytes with its ending, never empty.
 */
function safeName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .normalize('NFC')
    .replace(UNSAFE, '')
    .trim()
    .replace(/^[.-]+/, '')
    .trim();
  return plain === '' ? 'list' : shortened(plain);
}

/** Control and format characters, those that turn the direction of text, and halves of characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const [ending = ''] = /\.[A-Za-z0-9]{1,8}$/.exec(name) ?? [];
  const characters = Array.from(name.slice(0, name.length - ending.length));
  while (Buffer.byteLength(characters.join('')) > MOST_BYTES - ending.length) characters.pop();
  return characters.join('') + ending;
}

export interface UploadPlace {
  /** Absolute. */
  folder: string;
  mostBytes: number;
}

interface SentFile {
  /** As the sender called it. */
  name: string;
  /** How many bytes were announced; undefined: not said. */
  bytes: number | undefined;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Keeps a file in a folder of its own, readable by this user alone. Nothing is left of one that is too large, or whose
 * sender has gone.
 *
 * @throws AppError `UPLOAD_TOO_LARGE`, `UPLOAD_EMPTY` (exit 2), `UPLOAD_NOT_KEPT`; whatever `body` throws
 */
export async function keepUpload(
  access: ConsoleStore,
  { folder, mostBytes }: UploadPlace,
  { name: given, bytes: announced, body }: SentFile,
  world: World,
): Promise<Upload> {
  if (announced !== undefined && announced > mostBytes) throw tooLarge(mostBytes);
  const id = world.newId('up');
  const name = safeName(given);
  const own = join(folder, id);
  const path = join(own, name);
  try {
    const bytes = await write(path, body, mostBytes);
    const { clock, owner } = world;
    const upload = { id, name, path, bytes, at: clock.now(), machine: owner.host };
    await access.addUpload(upload);
    return upload;
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

async function write(path: string, body: AsyncIterable<Uint8Array>, mostBytes: number) {
  const own = dirname(path);
  const file = await explained(() => {
    for (const folder of [dirname(own), own]) {
      makeFolder(folder);
      chmodSync(folder, 0o700);
    }
    return beginFile(path);
  });
  try {
    let bytes = 0;
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      await explained(() => file.write(piece));
    }
    if (bytes === 0)
      throw usageError(
        'UPLOAD_EMPTY',
        'The file has no bytes; a list has a line of column names and one row per lead.',
        'export the list again, or check that it is the right file',
      );
    await explained(() => file.commit(path));
    return bytes;
  } finally {
    await file.discard();
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { is, check } = fileTroubleOf(error, 'written');
    throw new AppError('UPLOAD_NOT_KEPT', `The file cannot be kept: its place here ${is}.`, {
      hint: check,
      cause: error,
    });
  }
}

function tooLarge(mostBytes: number): AppError {
  return usageError(
    'UPLOAD_TOO_LARGE',
    `The file is larger than ${grouped(mostBytes)} bytes, the most that this console takes.`,
    'send it packed (.gz, .zip), or in parts, or start the console with a larger --max-upload',
  );
}

export function uploadView({ id, name, bytes, at }: Upload, { timezone }: Zone): View {
  return { id, name, bytes, at: timesIn(timezone)(at) };
}

/** Files that nothing has taken yet, the oldest first. */
export async function listUploads(
  access: ConsoleStore,
  { mostBytes }: UploadPlace,
  zone: Zone,
): Promise<Uploads> {
  const items = (await access.uploads()).map((upload) => uploadView(upload, zone));
  return { items, next: null, mostBytes };
}

export async function findUpload(access: ConsoleStore, id: string): Promise<Upload> {
  const found = await access.findUpload(id);
  if (found !== undefined) return found;
  throw uploadUnknown(id);
}

export function uploadUnknown(id: string): AppError {
  return usageError(
    'UPLOAD_UNKNOWN',
    `There is no upload "${id}"; a campaign has it, or it was deleted after a day.`,
    'send the file again',
  );
}

/** An upload whose file is here. @throws AppError `UPLOAD_UNKNOWN`, `UPLOAD_ELSEWHERE` */
export async function findSent(
  access: ConsoleStore,
  id: string,
  { owner }: World,
): Promise<Upload> {
  const found = await findUpload(access, id);
  const { name, path, machine } = found;
  if (existsSync(path)) return found;
  const isThere = machine !== null && machine !== owner.host;
  throw usageError(
    'UPLOAD_ELSEWHERE',
    `The file ${name} is not on this machine: ${isThere ? `it is on ${machine}` : 'it was deleted'}.`,
    isThere ? `go on in the console of ${machine}, or send the file again here` : 'send it again',
  );
}

/** Removes a file, unless a campaign has taken it meanwhile. @throws AppError `UPLOAD_UNKNOWN` */
export async function removeUpload(access: ConsoleStore, id: string): Promise<void> {
  const { path } = await findUpload(access, id);
  if (!(await access.removeUpload(id))) throw uploadUnknown(id);
  await rm(dirname(path), { recursive: true, force: true });
}

/** Where files are kept that were sent: in the folder of the database, of a file beside what a link to it leads to. */
export function uploadFolder({ name, folder }: Pick<Store, 'name' | 'folder'>): string {
  return join(isAbsolute(name) ? dirname(realPath(name)) : realPath(folder), 'uploads');
}

/** Deletes the file of a list that was sent; of another list, nothing. */
export async function removeFile(
  { file }: Pick<List, 'file'>,
  store: Pick<Store, 'name' | 'folder'>,
): Promise<void> {
  if (file === null || dirname(dirname(file)) !== uploadFolder(store)) return;
  await rm(dirname(file), { recursive: true, force: true });
}

/**
 * Deletes files a day after they were sent, and those that a killed process has left in the folder. The files of lists
 * that a campaign has not imported yet stay, until that has been in the archive for a day.
 *
 * @returns how many were deleted
 */
export async function sweepUploads(
  access: ConsoleStore,
  folder: string,
  request: DatabaseRequest,
  world: World,
): Promise<number> {
  const kept = new Set<string>();
  const places = databasePlaces(request, world);
  if (isShared(folder, places)) return 0;
  // Before it is read what lists have: a draft may take a file meanwhile.
  const untold: string[] = [];
  for (const name of foldersIn(folder))
    if ((await access.findUpload(name)) === undefined) untold.push(join(folder, name));
  const yesterday = world.clock.now() - DAY_MS;
  for (const place of places)
    await withStore(place, 'read', world, async (store) => {
      for (const { id, archivedAt = Infinity } of await store.listCampaigns())
        for (const { file, finishedAt } of archivedAt < yesterday ? [] : await store.lists(id))
          if (file !== null && finishedAt === null) kept.add(basename(dirname(file)));
    });
  const isOver = (at: number, own: string) => at < yesterday && !kept.has(basename(own));
  let deleted = 0;
  for (const { id, path, at, machine } of await access.uploads()) {
    // Another machine at a database on a server deletes its own.
    if (!existsSync(path) && machine !== null && machine !== world.owner.host) continue;
    if (!isOver(at, dirname(path)) || !(await access.removeUpload(id))) continue;
    await rm(dirname(path), { recursive: true, force: true });
    deleted += 1;
  }
  for (const own of untold) {
    const at = statSync(own, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (isOver(at, own)) await rm(own, { recursive: true, force: true });
  }
  return deleted;
}

/** Another database beside it may have lists there, too. */
function isShared(folder: string, places: readonly DatabasePlace[]): boolean {
  const ours = [...places.map(({ file = '' }) => basename(file)), CONSOLE_DB, SIMULATED_DB];
  const beside = foldersIn(dirname(folder)).filter((name) => name.endsWith('.db'));
  return beside.some((name) => !ours.includes(name));
}

/** Empty where there is no folder yet. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
