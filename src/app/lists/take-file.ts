import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { fateOf, isSameState, type FileState } from '../../leads/folders/candidates.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import { beginFile } from '../../runtime/files.ts';
import type { WatchedList } from '../../store/port.ts';
import { localTime } from '../../text/times.ts';
import { counted, shellWord } from '../../text/wording.ts';
import { importStaged, type Brought } from './import-staged.ts';
import {
  isBusy,
  moveFile,
  moveLink,
  stagingFolder,
  tellOnce,
  type Beside,
  type Taking,
} from './taking.ts';
import { isRefusal, stateAt, type Candidate } from './scan-places.ts';

/** A private copy of a file as it was at one moment, so that nothing that is put in its place meanwhile is imported. */
interface StagedFile {
  /** SHA-256 of its bytes. */
  sha256: string;
  /** The copy, beside the database. */
  copy: string;
  remove: () => Promise<void>;
}

/**
 * Copies a complete file. Undefined when it is not the file that was seen, or changed while it was read: then it is not
 * complete, or not there any more.
 *
 * @param folder where the copies are
 * @throws the system's error for a file that cannot be read, or a copy that cannot be written
 */
export async function stageFile(
  path: string,
  expected: FileState,
  folder: string,
): Promise<StagedFile | undefined> {
  // A link that took the file's place since it was seen is not followed; opening a pipe does not wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const source = await open(path, flags).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw error;
  });
  if (source === undefined) return undefined;
  const pending = await beginFile(join(folder, basename(path))).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  try {
    if (!isSameState(await source.stat(), expected)) return undefined;
    const hash = createHash('sha256');
    const bytes = source.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
    for await (const chunk of bytes) {
      hash.update(chunk);
      await pending.write(chunk);
    }
    const [read, there] = [await source.stat(), await stateAt(path)];
    if (there === undefined || !isSameState(read, expected) || !isSameState(there, expected))
      return undefined;
    const sha256 = hash.digest('hex');
    const copy = join(folder, `${sha256.slice(0, 16)}-${basename(path)}`);
    await pending.commit(copy);
    return { sha256, copy, remove: () => rm(copy, { force: true }) };
  } finally {
    await source.close();
    await pending.discard();
  }
}

/** Takes a complete file, or does with it what was decided before; see `fateOf`. */
export async function takeFile(taking: Taking, found: Candidate): Promise<void> {
  const { of, sources, memory, world } = taking;
  const { path, state } = found;
  if (found.outside !== null) return refuseLink(taking, found, found.outside);
  const staged = await stage(taking, found);
  if (staged === undefined) return;
  const { sha256 } = staged;
  const rows = await of.store.watchedLists(of.campaign.id);
  const row = rows.find((one) => one.sha256 === sha256);
  const isAtWork = row !== undefined && isBusy(row, taking);
  const fate = fateOf(row, { path, mtimeMs: state.mtimeMs }, sources.after, isAtWork);
  if (fate.kind === 'take') {
    await take(taking, { path, staged, instead: fate.instead }, found);
    return;
  }
  // The copy of a file that another process takes is that process's.
  if (fate.kind === 'wait') return;
  await staged.remove();
  if (fate.kind === 'move') await settle(taking, found, sha256, fate.to, besideOf(row));
  else if (fate.kind === 'leave') memory.settled.set(path, state);
  else {
    const { name, settings } = of.campaign;
    const when = localTime(fate.row.at, settings.timezone);
    const now = await settle(taking, found, null, 'taken', null);
    // A complete list took its place, which is not undone by what may be an old file.
    const isPast = sources.mode === 'sync' && rows.some(({ at }) => at > fate.row.at);
    const left = isPast
      ? ` Nobody leaves or comes back for it, either: \`callsheet import ${shellWord(name)} ${shellWord(now)} --sync\` makes it the complete list.`
      : '';
    world.tell(
      `${path} has the same content as ${fate.row.path}, which was taken ${when}: nobody is added.${left}`,
      isPast ? 'problem' : 'told',
    );
  }
}

/** Goes on with a file from the copy of a process that has ended; a copy that is gone leaves the file to be found. */
export async function takeStaged(taking: Taking, row: WatchedList): Promise<void> {
  const { path, sha256 } = row;
  const copy = join(stagingFolder(taking.of), `${sha256.slice(0, 16)}-${basename(path)}`);
  const isThere = await access(copy).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const staged = { sha256, copy, remove: () => rm(copy, { force: true }) };
  await take(taking, { path, staged, instead: row }, null);
}

async function stage(taking: Taking, { path, state }: Candidate): Promise<StagedFile | undefined> {
  try {
    return await stageFile(path, state, stagingFolder(taking.of));
  } catch (error) {
    const { is, check } = fileTroubleOf(error, 'read');
    tellOnce(`The list ${path} ${is}, so it stays where it is. ${check}`, taking);
    return undefined;
  }
}

/** @param found the file to move afterwards; null: only its copy is known */
async function take(
  taking: Taking,
  list: { path: string; staged: StagedFile; instead: WatchedList | null },
  found: Candidate | null,
): Promise<void> {
  const { of, sources, memory, world } = taking;
  const { path, staged, instead } = list;
  const { sha256 } = staged;
  const { store, campaign } = of;
  const at = world.clock.now();
  const claim = { sha256, path, at, taker: { ...world.owner, seenAt: at } };
  if (!(await store.claimWatched(campaign.id, claim, instead))) return;
  memory.atWork.add(sha256);
  try {
    const brought = await importStaged(of, { path, file: staged.copy }, sources.mode, world);
    if (brought.held !== null) await tellHeld(taking, path, brought, sha256);
    const end = { ...claim, state: 'taken', note: brought.rejectsPath } as const;
    // Its copy and the file itself are left to the process that has claimed it meanwhile.
    if (!(await store.endWatched(campaign.id, end))) return;
    if (!brought.isNew) world.tell(`${path} is in the campaign already: nobody is added.`);
    if (found !== null) await settle(taking, found, sha256, 'taken', besideOf(end));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const end = { ...claim, state: 'refused', note: reasonOf(error) } as const;
    await notice(taking, path, error, sha256);
    if (!(await store.endWatched(campaign.id, end))) return;
    await refuse(taking, path, found, error, sha256);
  } finally {
    memory.atWork.delete(sha256);
  }
  await staged.remove();
}

/** What goes with a moved list; see `WatchedList.note`. */
function besideOf(row: Pick<WatchedList, 'state' | 'note'> | undefined): Beside {
  if (row?.note == null) return null;
  const { state, note } = row;
  return state === 'refused' ? { reason: note } : { rejects: note };
}

function reasonOf({ code, message, hint }: Refusal): string {
  return `${code}: ${message}\n${hint === undefined ? '' : `Next: ${hint}\n`}`;
}

type Refusal = Pick<AppError, 'code' | 'message' | 'hint'>;

async function refuse(
  taking: Taking,
  path: string,
  found: Candidate | null,
  error: Refusal,
  sha256: string | null,
): Promise<void> {
  const { of, world } = taking;
  const { name } = of.campaign;
  const { message, hint } = error;
  const now =
    found === null
      ? path
      : await settle(taking, found, sha256, 'refused', { reason: reasonOf(error) });
  const next = `mend it and put it back, or \`callsheet import ${shellWord(name)} ${shellWord(now)}\` with what is missing (${hint ?? 'see there'})`;
  world.tell(`The list ${path} is refused: ${message} It is at ${now}; ${next}.`, 'problem');
}

/** Tells people which columns of a taken list hold rows back, and how they say what those mean. */
async function tellHeld(
  { of, world, onRefused }: Taking,
  path: string,
  { held, rejectsPath }: Brought,
  sha256: string,
): Promise<void> {
  if (held === null) return;
  const { campaign } = of;
  const { rows, question } = held;
  const { code, message: why } = question;
  const file = rejectsPath ?? path;
  const hint = `\`callsheet import ${shellWord(campaign.name)} ${shellWord(file)}\` with what its columns mean: ${question.hint ?? ''}`;
  await onRefused({ campaign, path, sha256, code, why, hint, held: rows });
  world.tell(`${counted(rows, 'row')} of ${path} held back: ${why} Next: ${hint}.`, 'problem');
}

async function notice(
  { of, onRefused }: Taking,
  path: string,
  { code, message, hint }: Refusal,
  sha256: string | null,
): Promise<void> {
  const { campaign } = of;
  await onRefused({ campaign, path, sha256, code, why: message, hint: hint ?? null, held: null });
}

async function refuseLink(taking: Taking, found: Candidate, outside: string): Promise<void> {
  const { path, state } = found;
  const message = `${path} is a link to ${outside === '' ? 'nothing' : outside}, outside of its folder, and is not followed.`;
  const hint = 'put the file itself into the folder';
  const error = usageError('LIST_IS_LINK', message, hint);
  await notice(taking, path, error, null);
  if (taking.sources.after === 'keep') {
    taking.memory.settled.set(path, state);
    await refuse(taking, path, null, error, null);
    return;
  }
  const now = await moveLink(path, reasonOf(error));
  await refuse(taking, now, null, error, null);
}

/** Moves a file whose fate is decided, or leaves it as `after: keep` says. @returns where it is now */
async function settle(
  taking: Taking,
  { path, state }: Candidate,
  sha256: string | null,
  to: 'taken' | 'refused',
  beside: Beside,
): Promise<string> {
  const { of, sources, memory, world } = taking;
  if (sources.after === 'keep') {
    memory.settled.set(path, state);
    return path;
  }
  const now = await moveFile(path, state, to, beside).catch((error: unknown) => {
    const { is, check } = fileTroubleOf(error, 'written');
    memory.settled.set(path, state);
    tellOnce(`${path} is ${to}, but cannot be moved: the folder ${is}. ${check}`, taking);
    return undefined;
  });
  if (now !== undefined && sha256 !== null)
    await of.store.watchedMoved(of.campaign.id, sha256, world.clock.now());
  return now ?? path;
}
