import { createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { campaignNameOf, loadCampaignFile, type CampaignFile } from '../../config/campaign-file.ts';
import { isSource } from '../../config/settings.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { usageError, type AppError } from '../../runtime/errors.ts';
import { nearest } from '../../text/nearest.ts';
import type { World } from '../world.ts';

/** How an argument `<list|campaign.yaml|campaign>` was understood. */
export interface Target {
  /** The campaign's name, unless --name gives another one. */
  name: string;
  /** Absolute paths, or `-`, of the lists that the argument names; empty for a campaign's name. */
  lists: string[];
  file: CampaignFile | undefined;
  /** The absolute folder that the argument names: lists are taken from it. */
  folder?: string;
}

/**
 * `-` is a list on standard input, `.yaml` a campaign file. Any other existing file, or a text that looks like a file
 * name, is a list. Everything else is the name of a campaign.
 */
function readTarget(text: string, cwd: string): Target {
  if (text === '-') return { name: STANDARD_INPUT, lists: ['-'], file: undefined };
  const path = resolve(cwd, text);
  if (/\.ya?ml$/i.test(text)) {
    const file = loadCampaignFile(text, cwd);
    const lists = file.values.leads ?? [];
    for (const path of lists) if (!isSource(path) && !existsSync(path)) throw unseen(path, file);
    return { name: file.name, lists: lists.filter((path) => !isSource(path)), file };
  }
  const isOfFile = /[/\\]/.test(text) || OF_LIST.test(text) || isMistyped(text, path);
  // A campaign may have the same name as a folder.
  if (existsSync(path) && (isOfFile || !statSync(path).isDirectory())) {
    if (statSync(path).isDirectory())
      return { name: basename(path), lists: [], file: undefined, folder: path };
    return { name: campaignNameOf(text), lists: [path], file: undefined };
  }
  if (isOfFile) throw unseen(path);
  return { name: text, lists: [], file: undefined };
}

/** The name of the campaign in a campaign file, which stands for it as to `run`; a file that is not there is a name. */
export function campaignOf(said: string, cwd: string): string {
  return existsSync(resolve(cwd, said)) ? loadCampaignFile(said, cwd).name : said;
}

/** The target of a request; one with lists of its own names the campaign that gets them. */
export function targetOf({ list, lists, byName = false }: TargetRequest, cwd: string): Target {
  const isName = byName || lists !== undefined;
  return isName ? { name: list, lists: [], file: undefined } : readTarget(list, cwd);
}

export interface TargetRequest {
  /** `-`, a list, a campaign file or the name of a campaign; see `readTarget`. */
  list: string;
  /** The lists themselves, e.g. uploads: `list` is then the name of a campaign. */
  lists?: readonly unknown[] | undefined;
  /** True: `list` is the name of a campaign, whatever files are called so. For requests of other machines. */
  byName?: boolean | undefined;
}

/**
 * For commands that do not take a campaign's name: refuses an argument that is neither a list nor a campaign file.
 *
 * @throws AppError as `readTarget`, and `LIST_NOT_FOUND` where there is no list (exit 2)
 */
export function requireLists(text: string, cwd: string): void {
  const target = readTarget(text, cwd);
  if (target.lists.length > 0 || target.file !== undefined) return;
  const path = resolve(cwd, text);
  throw existsSync(path) ? isFolder(path) : noList(path);
}

/** The error for a folder that was given in place of a list. */
export function isFolder(path: string): AppError {
  const [first] = listsIn(path);
  return usageError(
    'LIST_UNREADABLE',
    `${path} is a folder, not a list.`,
    first === undefined
      ? 'give a file: no list (.csv, .xlsx and the like) is in that folder'
      : `give one of the lists in it, e.g. ${join(path, first)}`,
  );
}

/** @param file the campaign file that names the list, if there is one */
function noList(path: string, file?: CampaignFile): AppError {
  const near = nearestFile(path);
  const meant = near === undefined ? '.' : `; did you mean ${near}?`;
  if (file === undefined) {
    return usageError(
      'LIST_NOT_FOUND',
      `There is no list at ${path}${meant}`,
      existsSync(dirname(path))
        ? 'check the path; a campaign is named without folder and ending'
        : `check the path: there is no folder ${dirname(path)}`,
    );
  }
  const line = file.lines.get('leads');
  return usageError(
    'LIST_NOT_FOUND',
    `${file.path}${line === undefined ? '' : `:${line}`}: there is no list at ${path}${meant}`,
    `mend \`leads\` in ${file.path}; a relative path in it starts in its own folder ${file.folder}`,
  );
}

export function withoutLeads({ path, folder }: CampaignFile, name: string): AppError {
  return usageError(
    'CAMPAIGN_FILE_INVALID',
    `${path} has no \`leads\`, and there is no campaign "${name}" yet that it could change.`,
    `write \`leads: LIST\` into it; a relative path starts in ${folder}`,
  );
}

/** The error for a list that is missing or cannot be inspected. @param file the campaign file that names it, if any */
function unseen(path: string, file?: CampaignFile): AppError {
  try {
    statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      const { is, check } = fileTroubleOf(error, 'read');
      return usageError('LIST_UNREADABLE', `The list ${path} ${is}.`, check, error);
    }
  }
  return noList(path, file);
}

/**
 * True for `leads.cvs` next to `leads.csv`: both the ending and the name are a few letters off those of an existing
 * list. False for `leads.v2`, which is a campaign's name.
 */
function isMistyped(text: string, path: string): boolean {
  const ending = extname(text).slice(1);
  return nearest(ending, ENDINGS) !== undefined && nearestFile(path) !== undefined;
}

/** A list in the same folder whose name differs by a few letters. */
function nearestFile(path: string): string | undefined {
  const near = nearest(basename(path), listsIn(dirname(path)));
  return near === undefined ? undefined : join(dirname(path), near);
}

/** Names of the lists in a folder; empty when the folder cannot be read. */
function listsIn(folder: string): string[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true });
    return found.filter((one) => one.isFile() && OF_LIST.test(one.name)).map(({ name }) => name);
  } catch {
    return [];
  }
}

const ENDINGS = ['csv', 'tsv', 'txt', 'xlsx'];
const OF_LIST = /\.(csv|tsv|txt|gz|zip|xlsx?|ods|numbers)$/i;

/** The name of a list from standard input, used in place of its path. */
export const STANDARD_INPUT = 'stdin';

/** Copies standard input to a temporary file (mode 0600), because a list is read more than once. */
export async function keepStandardInput({
  stdin,
  underway,
}: Pick<World, 'stdin' | 'underway'>): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'callsheet-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, STANDARD_INPUT);
    const copy = createWriteStream(path, { mode: 0o600 });
    await pipeline(stdin, copy, underway === undefined ? {} : { signal: underway.signal });
    underway?.cleanUps.add(remove);
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
