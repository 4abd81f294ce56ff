import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isHeard } from '../../domain/time-units.ts';
import { formatOf, hashOf } from '../../leads/read/list-rows.ts';
import { AppError, EXIT } from '../../runtime/errors.ts';
import { isGone } from '../../runtime/process.ts';
import { isSent } from '../../domain/lists/list-mapping.ts';
import type { Campaign, List, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { localTime } from '../../text/times.ts';
import { shellWord, someOf } from '../../text/wording.ts';
import { STANDARD_INPUT } from '../places/list-or-campaign.ts';

/** An import that is not finished; until it is, nobody of the campaign is called. */
export interface UnfinishedImport {
  list: List;
  /**
   * `going_on`: a process is importing now. All other values are for an import that was broken off: its file is
   * unchanged (`resumable`, or `together`: see `isTogether`), missing (`gone`) or different (`changed`), or was standard
   * input (`stdin`).
   */
  is: 'going_on' | 'resumable' | 'together' | 'gone' | 'changed' | 'stdin';
}

/** Its import began as one of several lists that are complete together: alone it must take nobody out. */
export function isTogether({ importer }: Pick<List, 'importer'>): boolean {
  return (importer?.with ?? []).length > 0;
}

/**
 * Finds a campaign's unfinished import; undefined when all its lists are imported completely, but for those that a draft
 * takes in at its start.
 */
export async function unfinishedImport(
  store: Store,
  { id, state }: Pick<Campaign, 'id' | 'state'>,
  world: World,
) {
  const waits = (one: List) => state === 'draft' && isSent(one);
  const list = (await store.lists(id)).find((one) => one.finishedAt === null && !waits(one));
  if (list === undefined) return undefined;
  const { importer } = list;
  const isAtIt =
    importer !== null && isHeard(importer, world.clock.now()) && !isGone(importer, world.owner);
  return { list, is: isAtIt ? ('going_on' as const) : await stateOfFile(list) };
}

/**
 * Where the bytes of a list are now: an upload is kept elsewhere, and a file from a folder may be back at its place. The
 * path of a list that was sent is only the name that its sender gave.
 */
export function fileOf({ path, file, input }: Pick<List, 'path' | 'file' | 'input'>): string {
  return file !== null && (input !== null || existsSync(file)) ? file : path;
}

/** Says which import keeps the campaign from being called, and which command helps. */
export function unfinishedSentence(
  { list, is }: UnfinishedImport,
  { name, settings }: Campaign,
): string {
  const { path, file, at, importer } = list;
  const campaign = shellWord(name);
  if (is === 'going_on') {
    return `The import of ${path} goes on (pid ${importer?.pid ?? 0} on ${importer?.host ?? ''}): nobody is called until all its rows are in.`;
  }
  const begun = localTime(at, settings.timezone);
  const from = is === 'stdin' ? 'from standard input' : `of ${path}`;
  const what = `The import ${from}, begun ${begun}, was broken off: nobody is called until all its rows are in.`;
  const run = `\`callsheet run ${campaign}\` goes on with it`;
  const instead = (file: string) =>
    `\`callsheet import ${campaign} ${file} --instead\` takes another list instead; people who are only on the half-imported one are not called`;
  const ways = {
    resumable: run,
    together: `With ${someOf(importer?.with ?? [], 3)} it is complete: \`callsheet import ${campaign} <campaign.yaml> --sync\` with a file that names all of them goes on with it; or ${instead('<list>')}`,
    gone: `The file is not there any more: ${file === null ? `put it back, and ${run}` : `\`callsheet import ${campaign} <list>\` with the same bytes goes on with it`}; or ${instead('<list>')}`,
    changed: `The file has changed since: put it back as it was, and ${run}; or ${instead(shellWord(path))}`,
    stdin: `\`callsheet import ${campaign} -\` with the same bytes goes on with it; or ${instead('-')}`,
  };
  return `${what} ${ways[isTogether(list) ? 'together' : is]}.`;
}

/** The error for a command that cannot run before the import is finished. */
export function unfinishedError(found: UnfinishedImport, campaign: Campaign): AppError {
  return new AppError('LIST_UNFINISHED', unfinishedSentence(found, campaign), {
    hint: `\`callsheet status ${shellWord(campaign.name)}\` shows what is in`,
    exitCode: found.is === 'going_on' ? EXIT.waiting : EXIT.person,
  });
}

async function stateOfFile(list: List): Promise<UnfinishedImport['is']> {
  const { sha256, bytes, ...how } = list;
  if (list.path === STANDARD_INPUT) return 'stdin';
  const path = fileOf(list);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'gone';
  if (!found.isFile() || (bytes !== null && found.size !== bytes)) return 'changed';
  const options = { encoding: how.encoding ?? undefined, sheet: how.sheet ?? undefined };
  const isSame = formatOf(path, options).then(
    async (format) => (await hashOf(path, format)) === sha256,
  );
  // A file that cannot be read in its former format counts as changed.
  if (!(await isSame.catch(() => false))) return 'changed';
  return isTogether(list) ? 'together' : 'resumable';
}
