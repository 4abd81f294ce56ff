import { extname } from 'node:path';
import { campaignNameOf } from '../../config/campaign-file.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Upload } from '../../store/console.ts';

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
