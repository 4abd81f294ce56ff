import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../runtime/files.ts';
import { usageError } from '../../runtime/errors.ts';
import { nearest } from '../../text/nearest.ts';
import { shellWord } from '../../text/wording.ts';
import { GROUPS, type CommandRow } from './command.ts';

/** Commands that are part of others now: the words that do the same; WORD and NEW are what followed the old name. */
const MOVED: Readonly<Record<string, string>> = {
  archive: 'cancel WORD --archive',
  nights: 'report WORD --by night',
  rehearse: 'check WORD --rehearse',
  rename: 'set WORD name=NEW',
  show: 'explain WORD --calls',
  start: 'resume WORD',
  summary: 'report WORD',
};

/** What other programs call them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...{
    stop: 'pause',
    delete: 'cancel',
    ls: 'list',
    logs: 'tail',
    results: 'export',
    stat: 'status',
  },
};

/** The command that the first words name. @throws AppError `USAGE` (exit 2), naming the nearest command */
export function findCommand(
  [first = '', second = '', ...more]: readonly string[],
  commands: readonly CommandRow[],
): CommandRow {
  const row = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (row !== undefined) return row;
  const hint = 'see `callsheet help --all`';
  const moved = Object.hasOwn(MOVED, first) ? MOVED[first] : undefined;
  if (moved !== undefined) {
    const given = second === '' ? more : [second, ...more];
    const shift = () => (given[0]?.startsWith('-') === false ? given.shift() : undefined);
    const word = shift();
    const to = moved.includes('NEW') ? shift() : word;
    const [name = ''] = moved.split(' ');
    const words = moved
      .replace('WORD', () => shellWord(word ?? 'NAME'))
      .replace('NEW', () => shellWord(to ?? 'NEW'));
    // Options before what is missing may have its value.
    const rest = word === undefined || to === undefined ? [] : given.map(shellWord);
    throw usageError(
      'USAGE',
      `"${first}" is part of \`${name}\` now.`,
      `\`callsheet ${[words, ...rest].join(' ')}\``,
    );
  }
  const swapped = commands.find(({ name }) => name === second);
  if (swapped !== undefined && /[./\\]/.test(first)) {
    const message = `"${first}" is not a command, and the command comes first; did you mean \`callsheet ${second} ${shellWord(first)}\`?`;
    throw usageError('USAGE', message, hint);
  }
  if (first.startsWith('-')) {
    const near = nearest(first, FLAGS_ALONE);
    const message =
      near === undefined
        ? `The command comes first, then its options: "${first}" is not a command.`
        : `"${first}" is not an option of callsheet; did you mean \`callsheet ${near}\`?`;
    throw usageError('USAGE', message, hint);
  }
  const family = first === '' ? [] : familyOf([first], commands);
  const names = (family.length > 0 ? family : commands).map(({ name }) => name);
  const asked = family.length > 0 && !second.startsWith('-') ? `${first} ${second}`.trim() : first;
  // Suggests for both forms: `supress add` means a command of two words, `runn leads.csv` a command of one.
  const near =
    (Object.hasOwn(ELSEWHERE, first) ? ELSEWHERE[first] : undefined) ??
    nearest(`${first} ${second}`.trim(), names) ??
    nearest(asked, family.length > 0 ? names : [...names, ...FLAGS_ALONE]);
  const meant =
    near !== undefined
      ? `did you mean ${FLAGS_ALONE.includes(near) ? `\`callsheet ${near}\`` : `"${near}"`}?`
      : family.length > 0
        ? `there are ${names.join(', ')}.`
        : 'nothing was done.';
  const message = `"${asked}" is not a command; ${meant}`;
  throw usageError('USAGE', message, hint);
}

/** The flags that may be given without a command. */
const FLAGS_ALONE: readonly string[] = ['--help', '--version'];

/** The two-word commands that begin with this word, e.g. `agents`; all commands if there is no word. */
export function familyOf(
  [first = '', ...more]: readonly string[],
  commands: readonly CommandRow[],
) {
  if (first === '') return commands;
  return more.length > 0 ? [] : commands.filter(({ name }) => name.startsWith(`${first} `));
}

/**
 * What `--help` after these words prints: the commands of every day, those that begin with a word, or one command in full.
 */
export async function helpText(
  words: readonly string[],
  commands: readonly CommandRow[],
): Promise<string> {
  if (words.length === 0) return dailyOverview();
  const family = familyOf(words, commands);
  if (family.length > 0) return overview(family);
  const row = findCommand(words, commands);
  const [command, { helpOf }] = await Promise.all([row.load(), import('./parse.ts')]);
  return `${await helpOf(row, command)}\n`;
}

/** The commands of every day. A test holds that each is one. */
export const DAILY: readonly (readonly [usage: string, what: string])[] = [
  ['init', 'a few questions: service, key, agent, first list'],
  ['check <list|campaign>', 'the plan: who would be called, when, and who not'],
  ['run <list|campaign>', 'make or resume a campaign, call, write the results'],
  ['serve', 'call all started campaigns in their hours; webhooks'],
  ['console', 'upload, start and watch campaigns in a browser'],
  ['status [campaign]', 'where a campaign stands, and what to do'],
  ['explain <who>', 'why somebody is not called, and their whole story'],
  ['pause [campaign]', 'start no new call'],
  ['resume <campaign>', 'start an imported campaign, or lift a pause'],
  ['cancel <campaign>', 'call nobody else in it, or withdraw one person'],
  ['export <campaign>', 'write the results: csv, excel, xlsx or jsonl'],
  ['set <campaign> [key=..]', 'show or change its settings'],
  ['suppress <add|import..>', 'who may not be called by anybody'],
  ['import <campaign> <list>', 'bring in a list without calling anybody'],
  ['doctor', 'is everything in order'],
];

/** What `callsheet --help` prints: the commands of every day, on a screen of 24 lines and 80 columns. */
export function dailyOverview(): string {
  const width = Math.max(...DAILY.map(([usage]) => usage.length)) + 2;
  return `callsheet <command> [options]

A list of phone numbers and a voice agent become calls and a results file.

${DAILY.map(([usage, what]) => `  ${usage.padEnd(width)}${what}`).join('\n')}

\`callsheet help --all\` shows every command, \`callsheet help <command>\` the
options and examples of one, \`callsheet --version\` the version.
`;
}

/** What `callsheet help --all` prints: the commands by group, a line each. */
export function overview(commands: readonly CommandRow[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length)) + 2;
  const groups = GROUPS.flatMap((group) => {
    const rows = commands.filter((command) => command.group === group);
    if (rows.length === 0) return [];
    const lines = rows.map(({ usage, describe }) => `  ${usage.padEnd(width)}${describe}`);
    return [`${group}\n${lines.join('\n')}\n`];
  });
  return `callsheet <command> [options]

A list of phone numbers and a voice agent become calls, their analytics and a results file.

${groups.join('\n')}
\`callsheet <command> --help\` shows a command's options and examples; \`callsheet --version\` the version.

Exit codes: 0 every lead is final, 1 failed, 2 wrong usage or configuration, 3 leads wait for a later
time, 4 the service refused the key, 5 a person is needed, 130 interrupted.
`;
}

export function version(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
