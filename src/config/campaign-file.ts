import { basename, dirname, extname, resolve } from 'node:path';

import type { ZodType } from 'zod';
import { isAddress } from '../domain/lists/list-mapping.ts';
import { isCommand } from '../domain/notices.ts';
import { AppError, EXIT, usageError } from '../runtime/errors.ts';
import { problemsError, type Problem } from '../runtime/yaml.ts';
import { asSentence } from '../text/wording.ts';
import {
  CAMPAIGN_KEYS,
  readCampaignKeys,
  type CampaignKey,
  type CampaignValues,
  type GivenValue,
  type KeyProblem,
} from './keys.ts';
import { rowOf, settingWords } from './table/settings-table.ts';
import { readConfigFile, readEntries, type Entry } from './yaml-file.ts';

/** The hint for a value that is not allowed; the command line adds the command's name to it. */
export const MEND_VALUE = 'correct the value; `callsheet --help` says what is allowed';

/** The hint for a campaign file with a mistake; the command line adds the command's name to it. */
export const MEND_FILE = 'mend the file; `callsheet --help` says what is allowed';

/** The error `FLAG_INVALID` (exit 2) for a flag, or for the same value given through another interface. */
export function invalidFlag(message: string): AppError {
  return usageError('FLAG_INVALID', message, MEND_VALUE);
}

/**
 * Reads a flag's text by the schema of a field in the configuration files.
 *
 * @param shown the text in the message, if `text` holds something secret
 */
export function readField<T>(flag: string, field: ZodType<T>, text: string, shown = text): T {
  const { data, error } = field.safeParse(text);
  if (error === undefined) return data;
  const why = error.issues[0]?.message ?? 'is not allowed';
  throw invalidFlag(asSentence(`${flag} "${shown}" ${why}`));
}

/** The example file that shows every key, relative to the folder that holds `campaigns/`; the file need not exist. */
export const EXAMPLE_FILE = 'campaigns/example.yaml';

/** A checked campaign file: only the keys that the file contains, with absolute paths. */
export type CampaignFile = ReturnType<typeof loadCampaignFile>;

/**
 * Reads and checks a campaign file; all problems are reported at once, each with file:line:column.
 * @param path absolute, or relative to `cwd`
 */
export function loadCampaignFile(path: string, cwd: string) {
  const text = readConfigFile(path, cwd, 'campaign file', {
    code: 'CAMPAIGN_FILE_NOT_FOUND',
  });
  const { entries, problems } = readEntries(text);
  const read = readCampaignKeys(entries);
  const folder = dirname(resolve(cwd, path));
  const name = read.values.name ?? readName(path, entries, problems);
  problems.push(...read.problems.map((problem) => placed(problem, entries)));
  checkService(entries, problems);
  if (entries.length === 0 && problems.length === 0) {
    problems.push({ ...START, sentence: 'the file is empty; it needs at least `leads`.' });
  }
  if (problems.length > 0) {
    throw problemsError('CAMPAIGN_FILE_INVALID', path, problems, MEND_FILE);
  }
  return {
    /** The path as the operator gave it, for messages. */
    path,
    /** The absolute folder that the file's relative paths start from. */
    folder,
    /** The `name` in the file, or the name of the file itself without its ending. */
    name,
    values: ofFile(absolute(read.values, folder)),
    /** The line of each key, for messages. */
    lines: new Map(entries.map(({ key, keyAt }) => [key, keyAt.line])),
  };
}

/** The name a campaign gets from its list or file: `lists/spring.csv` is `spring`. */
export function campaignNameOf(path: string): string {
  return basename(path, extname(path));
}

/**
 * Makes the paths in a file absolute, starting from its folder. A profile or a rule may also be a name, which is looked
 * up later.
 */
function absolute(values: CampaignValues, folder: string): CampaignValues {
  const { leads, rules, notify, 'results.file': file, 'service.profile': profile } = values;
  return {
    ...values,
    ...(leads && { leads: leads.map((path) => (isAddress(path) ? path : resolve(folder, path))) }),
    ...(rules && { rules: rules.map((rule) => (isPath(rule) ? resolve(folder, rule) : rule)) }),
    ...(notify && { notify: notify.map((to) => (isCommand(to) ? { ...to, folder } : to)) }),
    ...(file !== undefined && { 'results.file': file === '-' ? file : resolve(folder, file) }),
    ...(profile !== undefined && {
      'service.profile': isPath(profile) ? resolve(folder, profile) : profile,
    }),
  };
}

/** Receivers named in a campaign file were chosen by its author, who may not be the operator. */
function ofFile({ notify, ...values }: CampaignValues): CampaignValues {
  if (notify === undefined || notify === null)
    return { ...values, ...(notify === null && { notify }) };
  return { ...values, notify: notify.map((target) => ({ ...target, from: 'file' as const })) };
}

/** A profile or rule counts as a path when it has a slash or a YAML ending; otherwise it is a name. */
export function isPath(given: string): boolean {
  return /[/\\]|\.ya?ml$/i.test(given);
}

function readName(path: string, entries: readonly Entry[], problems: Problem[]): string {
  const name = campaignNameOf(path);
  if (!entries.some(({ key }) => key === 'name')) {
    const { problems: found } = readCampaignKeys([{ key: 'name', value: name }]);
    const sentence = `the file's own name is no campaign name; add \`name:\` (${found[0]?.sentence ?? ''})`;
    if (found.length > 0) problems.push({ ...START, sentence });
  }
  return name;
}

function placed({ key, sentence, aboutKey }: KeyProblem, entries: readonly Entry[]): Problem {
  const entry = entries.find((candidate) => candidate.key === key);
  return { ...((aboutKey ? entry?.keyAt : entry?.valueAt) ?? START), sentence };
}

const START = { line: 1, column: 1 };

function checkService(entries: readonly Entry[], problems: Problem[]): void {
  const profile = entries.find(({ key }) => key === 'service.profile');
  if (profile !== undefined && !entries.some(({ key }) => key === 'service.url')) {
    const sentence = 'service has a profile but no url; write { url, profile } or the name of one.';
    problems.push({ ...profile.keyAt, sentence });
  }
}

/** The name of the schema file, which is written beside the campaign files that refer to it. */
export const SCHEMA_FILE = 'campaign.schema.json';

/** JSON Schema of a campaign file, for editors: the schema lists the keys; only callsheet checks the values. */
export function campaignSchema(): string {
  const keys = schemaOf('', CAMPAIGN_KEYS);
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...keys };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** @param path of the group that contains these keys, with a dot at the end; it can also have a value of its own */
function schemaOf(path: string, keys: readonly string[]): object {
  const value = ['string', 'number', 'array'];
  const row = rowOf(path.slice(0, -1));
  const about = row && { description: `${settingWords(row)}; default ${row.byDefault}` };
  if (keys.length === 0) return { ...about, type: value };
  const properties: Record<string, object> = {};
  for (const name of new Set(keys.map((key) => key.replace(/\..*/, '')))) {
    const inside = keys.filter((key) => key.startsWith(`${name}.`));
    const below = inside.map((key) => key.slice(name.length + 1));
    properties[name] = schemaOf(`${path}${name}.`, below);
  }
  const type = row === undefined ? 'object' : [...value, 'object'];
  return { ...about, type, properties, additionalProperties: false };
}

export interface FlagsInput {
  /** Flags as typed, by campaign key: `{ concurrency: '10' }` for `--concurrency 10`. */
  flags?: Partial<Record<CampaignKey, string | undefined>> | undefined;
  /** `--set` as typed: `polling.floor=5s`. */
  sets?: readonly string[] | undefined;
  /** The name of the `--set` flag in messages; default `--set`. */
  setFlag?: string | undefined;
  /** The folder that relative paths in flags start from. */
  cwd: string;
}

/** Flags and --set as checked values, with the flag that gave each key. @throws AppError `SETTING_INVALID` (exit 2) */
export function readFlags({ flags = {}, sets = [], setFlag = '--set', cwd }: FlagsInput): {
  values: CampaignValues;
  sources: ReadonlyMap<string, string>;
} {
  const given: GivenValue[] = [];
  const sources = new Map<string, string>();
  const add = (key: string, value: string, flag: string) => {
    if (sources.has(key)) throw invalid(`${flag}: ${key} is given twice; give it once.`);
    sources.set(key, flag);
    given.push({ key, value });
  };
  for (const [key, value] of Object.entries(flags)) {
    if (value !== undefined)
      add(key, value, key === 'leads' ? '<list>' : `--${rowOf(key)?.flag ?? key}`);
  }
  for (const set of sets) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(set) ?? [];
    if (key === undefined || value === undefined) {
      throw invalid(`${setFlag} "${set}" is not key=value, e.g. concurrency=10.`);
    }
    add(key.trim(), value, setFlag);
  }
  const { values, problems } = readCampaignKeys(given);
  if (problems.length > 0) {
    const lines = problems.map((problem) => saidOf(problem, sources.get(problem.key)));
    const fields = problems.map(({ key, sentence }) => {
      return { field: key, detail: sentence.replace(`${key} `, '') };
    });
    throw new AppError('SETTING_INVALID', lines, {
      hint: MEND_VALUE,
      exitCode: EXIT.usage,
      fields,
    });
  }
  return { values: absolute(values, cwd), sources };
}

/** If flag and key are the same word, the message says it only once: `--concurrency "-3" is not ...`. */
function saidOf({ key, sentence, aboutKey }: KeyProblem, flag = key): string {
  if (aboutKey || !sentence.startsWith(key)) return `${flag}: ${sentence}`;
  return flag.startsWith('--') && flag !== '--set'
    ? flag + sentence.slice(key.length)
    : `${flag} ${sentence}`;
}

export function invalid(message: string | readonly string[]): AppError {
  return usageError('SETTING_INVALID', message, MEND_VALUE);
}
