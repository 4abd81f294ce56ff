import { type AppError, usageError } from '../runtime/errors.ts';
import { absolute, MEND_VALUE } from './campaign-file.ts';
import { readCampaignKeys } from './keys.ts';
import type { CampaignKey, CampaignValues, GivenValue, KeyProblem } from './keys.ts';
import { rowOf } from './table/settings-table.ts';

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

/**
 * Flags and --set as checked values, with the flag that gave each key.
 *
 * @throws AppError `SETTING_INVALID` (exit 2)
 */
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
    if (value !== undefined) add(key, value, flagOf(key));
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
    throw invalid(problems.map((problem) => saidOf(problem, sources.get(problem.key))));
  }
  return { values: absolute(values, cwd), sources };
}

/**
 * A message such as `--concurrency "-3" is not ...`: if flag and key are the same word, the message says it only once.
 */
function saidOf({ key, sentence, aboutKey }: KeyProblem, flag = key): string {
  if (aboutKey || !sentence.startsWith(key)) return `${flag}: ${sentence}`;
  return flag.startsWith('--') && flag !== '--set'
    ? flag + sentence.slice(key.length)
    : `${flag} ${sentence}`;
}

export function invalid(message: string | readonly string[]): AppError {
  return usageError('SETTING_INVALID', message, MEND_VALUE);
}

function flagOf(key: string): string {
  return key === 'leads' ? '<list>' : `--${rowOf(key)?.flag ?? key}`;
}
