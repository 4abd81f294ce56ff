import { AppError, EXIT } from '../runtime/errors.ts';
import { absolute } from './campaign-file.ts';
import { readCampaignKeys } from './keys.ts';
import type { CampaignKey, CampaignValues, GivenValue } from './keys.ts';

export interface FlagsInput {
  /** Flags as typed, by campaign key: `{ concurrency: '10' }` for `--concurrency 10`. */
  flags?: Partial<Record<CampaignKey, string | undefined>> | undefined;
  /** `--set` as typed: `polling.floor=5s`. */
  sets?: readonly string[] | undefined;
  /** Where paths of flags start from. */
  cwd: string;
}

/**
 * Flags and --set as checked values, and the flag that each key came by.
 *
 * @throws AppError `SETTING_INVALID` (exit 2)
 */
export function readFlags({ flags = {}, sets = [], cwd }: FlagsInput): {
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
      throw invalid(`--set "${set}" is not key=value, e.g. --set concurrency=10.`);
    }
    add(key.trim(), value, '--set');
  }
  const { values, problems } = readCampaignKeys(given);
  if (problems.length > 0) {
    const lines = problems.map(({ key, sentence }) => `${sources.get(key) ?? key}: ${sentence}`);
    throw invalid(lines);
  }
  return { values: absolute(values, cwd), sources };
}

export function invalid(message: string | readonly string[]): AppError {
  return new AppError('SETTING_INVALID', message, {
    exitCode: EXIT.usage,
    hint: 'mend the value; `callsheet run --help` and campaigns/example.yaml show what is allowed',
  });
}

function flagOf(key: string): string {
  const names: Partial<Record<string, string>> = {
    leads: '<list>',
    'service.url': '--service-url',
    'service.profile': '--profile',
    skipCalled: '--skip-called',
    'results.file': '--output',
    'results.format': '--format',
  };
  return names[key] ?? `--${key}`;
}
