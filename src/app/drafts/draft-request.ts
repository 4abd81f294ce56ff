import { invalidFlag } from '../../config/campaign-file.ts';
import { usageError } from '../../runtime/errors.ts';
import { requireRemoteSettings } from '../access/identity.ts';
import type { PlanRequest } from '../plan/plan.ts';
import type { ListInput, ListPath } from '../plan/plan-lists.ts';
import { readAsOf } from '../typed.ts';
import type { World } from '../world.ts';
import { choicesFor, chosenColumns, formatOptions, foundIn, seeList } from './look.ts';
import {
  campaignNameFor,
  goneText,
  listInput,
  listNames,
  type DraftInput,
  type OpenDraft,
} from './draft.ts';

/** The database and the services file of the console. */
export interface DraftFiles {
  db: string | undefined;
  services: string | undefined;
}

/** The request for the plan of one draft. */
export type DraftRequest = PlanRequest & { lists: readonly ListPath[] };

/** The name of the campaign that a draft becomes. */
export function nameOf({ body, uploads }: OpenDraft): string {
  const [first] = uploads;
  return body.name.trim() === '' && first !== undefined ? campaignNameFor(first) : body.name.trim();
}

/**
 * The plan of a draft, as the command line would ask for it: each list with its own columns and encoding, named as the
 * file that was sent.
 *
 * @throws AppError `DRAFT_EMPTY`, `FLAG_INVALID`, `SETTING_NOT_HERE` (exit 2), and those of reading the lists' columns
 */
export async function draftRequest(
  draft: OpenDraft,
  files: DraftFiles,
  world: World,
): Promise<DraftRequest> {
  const { body, uploads } = draft;
  if (uploads.length === 0) throw emptyDraft(draft);
  const name = nameOf(draft);
  const sets = Object.entries(body.settings).map(([key, value]) => `${key}=${value}`);
  refuseApart(sets);
  requireRemoteSettings(sets, name);
  const names = listNames(uploads);
  const lists: ListPath[] = [];
  for (const { id, path: file, name: own } of uploads) {
    const path = names.get(id) ?? own;
    const input = await inputOf(body.lists[id] ?? listInput.parse({}), { file, path }, world);
    lists.push({ path, file, input });
  }
  const service = body.service ?? undefined;
  const flags = { name, service, agent: body.agent ?? undefined };
  return { ...files, list: name, lists, service, given: { flags, sets, setFlag: 'set' } };
}

function emptyDraft(draft: OpenDraft) {
  const gone = goneText(draft);
  return gone === undefined
    ? usageError(
        'DRAFT_EMPTY',
        'This draft has no list, so that nobody would be called.',
        'send a list first',
      )
    : usageError('DRAFT_EMPTY', `${gone}: nobody would be called.`, 'send the list again');
}

/** Keys that a draft has fields of its own for; a list on this machine is not read through it. */
const APART = ['name', 'leads', 'service', 'agent'];

function refuseApart(sets: readonly string[]): void {
  const keys = sets.map((set) => set.split('=')[0]?.trim() ?? '');
  const found = keys.find((key) => APART.includes(key.split('.')[0] ?? ''));
  if (found === undefined) return;
  throw invalidFlag(
    `"${found}" is not among the settings: name, lists, service and agent are chosen by themselves.`,
  );
}

async function inputOf(
  input: DraftInput,
  { file, path }: { file: string; path: string },
  world: World,
): Promise<ListInput> {
  const format = formatOptions(input);
  const asOf =
    input.asOf === null ? null : readAsOf('The day of the list', input.asOf, world.clock.now());
  if (Object.keys(input.columns).length === 0) return { ...format, asOf, choices: [] };
  const look = await seeList(file, path, input);
  return {
    ...format,
    asOf,
    choices: choicesFor(chosenColumns(input, look.headers), foundIn(look)),
  };
}
