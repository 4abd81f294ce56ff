import { basename, dirname, extname, resolve } from 'node:path';
import { isCommand } from '../domain/notices/target.ts';
import { isAddress } from '../domain/lists/list-sources.ts';
import { readCampaignKeys, type CampaignValues, type KeyProblem } from './keys.ts';
import { MEND_FILE } from './hints.ts';
import { problemsError, type Problem } from '../runtime/yaml.ts';
import { readConfigFile, readEntries, type Entry } from './yaml-file.ts';

/** A checked campaign file: only the keys that the file contains, with absolute paths. */
export type CampaignFile = ReturnType<typeof loadCampaignFile>;

/**
 * Reads and checks a campaign file; all problems are reported at once, each with file:line:column.
 *
 * @param path absolute, or relative to `cwd`
 * @throws AppError `CAMPAIGN_FILE_NOT_FOUND`, `CAMPAIGN_FILE_INVALID` (exit 2)
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
export function absolute(values: CampaignValues, folder: string): CampaignValues {
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

/** Whoever a file names to be told is the file's choice, not the operator's. */
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
