import { extname } from 'node:path';
import { z } from 'zod';

import { campaignNameOf } from '../../config/campaign-file.ts';
import { COLUMN_TARGETS } from '../../domain/lists/list-mapping.ts';
import { AppError, usageError } from '../../runtime/errors.ts';
import type { ConsoleStore, Draft, Upload } from '../../store/console.ts';
import { someOf } from '../../text/wording.ts';

/** What a column can be chosen for. */
export const chosenMeaning = z.enum(COLUMN_TARGETS);
export type ChosenMeaning = z.infer<typeof chosenMeaning>;

/** How one uploaded list is to be read; what is left out is found from the list itself. */
export const listInput = z.object({
  columns: z
    .record(z.string().min(1).max(500), chosenMeaning)
    .default({})
    .describe('Column -> meaning, only where it was changed; a header, or #3 for the third column'),
  encoding: z.string().min(1).max(40).nullable().default(null).describe('e.g. windows-1251'),
  delimiter: z.string().length(1).nullable().default(null).describe('e.g. ;'),
  sheet: z.string().min(1).max(200).nullable().default(null).describe('Of a workbook'),
  asOf: z.iso.date().nullable().default(null).describe('The day the list dates from, 2026-01-05'),
});
export type DraftInput = z.infer<typeof listInput>;

/** What is filled in of a new campaign. */
export const draftBody = z.object({
  name: z.string().max(200).default('').describe('Of the campaign; empty: not chosen yet'),
  uploads: z.array(z.string().max(200)).max(100).default([]).describe('Ids, in their order'),
  lists: z.record(z.string(), listInput).default({}).describe('By the id of the upload'),
  service: z.string().max(200).nullable().default(null).describe('A name, or `simulated`'),
  agent: z.string().max(500).nullable().default(null),
  settings: z
    .record(z.string().max(100), z.string().max(2_000))
    .default({})
    .describe('key -> value as `callsheet set` takes them'),
  step: z.enum(['upload', 'columns', 'rows', 'settings', 'plan']).default('upload'),
});
export type DraftBody = z.infer<typeof draftBody>;

/** As it is stored: with the names of its lists by upload, for when their files were deleted. */
const storedBody = draftBody.extend({ names: z.record(z.string(), z.string()).default({}) });
export type StoredBody = z.infer<typeof storedBody>;

/** A draft and its uploaded files, with their paths. */
export interface OpenDraft extends Omit<Draft, 'body'> {
  body: DraftBody;
  /** In the order of `body.uploads`. */
  uploads: Upload[];
  /** Lists whose files were deleted: they have to be sent again. `input`: how they were to be read. */
  gone: { id: string; name: string; input: DraftInput | undefined }[];
}

/** @throws AppError `DRAFT_UNKNOWN` */
export async function openDraft(access: ConsoleStore, id: string): Promise<OpenDraft> {
  const draft = await access.findDraft(id);
  if (draft !== undefined) return withUploads(access, draft);
  throw usageError(
    'DRAFT_UNKNOWN',
    `There is no draft "${id}"; it was removed, or its campaign was made.`,
    'begin a new campaign, or look for it among the campaigns',
  );
}

export async function withUploads(access: ConsoleStore, draft: Draft): Promise<OpenDraft> {
  const { names, ...body } = storedBody.parse(draft.body);
  const uploads: Upload[] = [];
  for (const id of body.uploads) {
    const found = await access.findUpload(id);
    if (found !== undefined) uploads.push(found);
  }
  const ids = uploads.map(({ id }) => id);
  const gone = Object.entries(names)
    .filter(([id]) => !ids.includes(id))
    .map(([id, name]) => ({ id, name, input: body.lists[id] }));
  const lists = Object.fromEntries(Object.entries(body.lists).filter(([id]) => ids.includes(id)));
  return { ...draft, body: { ...body, uploads: ids, lists }, uploads, gone };
}

/** Two tabs, or two people, have changed one draft: the later one is told, not overwritten. */
export class DraftChanged extends AppError {
  /** The draft as it is now. */
  readonly draft: OpenDraft;

  constructor(draft: OpenDraft) {
    super('DRAFT_CHANGED', `This draft was changed by ${draft.who} meanwhile.`, {
      hint: 'look at what it is now, and change that',
    });
    this.draft = draft;
  }
}

/** The names of lists in messages and results, by upload: their files' own; a second one of a name gets a number. */
export function listNames(uploads: readonly Pick<Upload, 'id' | 'name'>[]): Map<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  for (const { id, name } of uploads) {
    const ending = extname(name);
    const stem = name.slice(0, name.length - ending.length);
    let free = name;
    for (let n = 2; used.has(free); n++) free = `${stem}-${n}${ending}`;
    used.add(free);
    names.set(id, free);
  }
  return names;
}

/** As many characters as a campaign's name may have. */
const MOST_CHARACTERS = 100;
/** Endings that a name of a campaign must not have, and those of lists that are packed. */
const ENDINGS = /(\.(csv|tsv|txt|ya?ml|jsonl?|xlsx|gz|zip))+$/i;

/** The name that a campaign gets from its first list, however that is packed: `spring.csv.gz` is `spring`. */
export function campaignNameFor({ name }: Pick<Upload, 'name'>): string {
  const short = Array.from(campaignNameOf(name)).slice(0, MOST_CHARACTERS).join('');
  return short.replace(ENDINGS, '').trim();
}

/** Runs `work`; what it throws names lists as they were sent, and not where they are kept. */
export async function withNames<T>(
  uploads: readonly Pick<Upload, 'id' | 'name' | 'path'>[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw named(error, uploads);
  }
}

function named(error: unknown, uploads: readonly Pick<Upload, 'id' | 'name' | 'path'>[]): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, hint, exitCode, lines } = error;
  const names = listNames(uploads);
  const mend = (text: string) =>
    uploads.reduce((now, { id, path, name }) => now.replaceAll(path, names.get(id) ?? name), text);
  if (!uploads.some(({ path }) => [...lines, hint ?? ''].some((line) => line.includes(path))))
    return error;
  return new AppError(code, lines.map(mend), {
    ...(hint !== undefined && { hint: mend(hint) }),
    exitCode,
    cause: error,
  });
}

/** So many lists are named. */
const SHOWN = 5;

/** Which lists of a draft were deleted, as a sentence without its full stop; undefined: none. */
export function goneText({ gone }: Pick<OpenDraft, 'gone'>): string | undefined {
  if (gone.length === 0) return undefined;
  const names = someOf(
    gone.map(({ name }) => name),
    SHOWN,
  );
  return `${names} ${gone.length === 1 ? 'was' : 'were'} kept for a day and then deleted`;
}
