// What pages say of settings, from the table of settings of the compiled program.
import { SETTING_GROUPS } from '../dist/config/table/row.js';
import {
  groupOf,
  SETTING_ROWS,
  settingSentence,
  SETTINGS,
  settingWords,
} from '../dist/config/table/settings-table.js';

const START = '<!-- settings -->';
const END = '<!-- /settings -->';
const HOLDS = { 'at once': 'at once', 'new run': 'with its list' };

/**
 * The page with a table of all settings between its markers, a row for each key.
 *
 * @param {string} page
 * @returns {string}
 */
export function withSettings(page) {
  const rows = SETTING_ROWS.map(([key, row]) => [
    `\`${key}\``,
    settingWords(row),
    row.byDefault,
    HOLDS[SETTINGS[groupOf(key) ?? key].holds] ?? 'next run',
  ]);
  const all = [['key', 'meaning', 'default', 'a change holds'], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const lineOf = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |\n`;
  const [head, ...lines] = all.map(lineOf);
  const rule = lineOf(widths.map((width) => '-'.repeat(width)));
  const [before, after] = [page.indexOf(START) + START.length, page.indexOf(END)];
  return `${page.slice(0, before)}\n\n${head}${rule}${lines.join('')}\n${page.slice(after)}`;
}

/** What the example sets; all other settings stand in it as comments. */
const SET = {
  name: 'example',
  leads: '../data/samples/leads.csv',
  service: 'simulated',
  country: 'US',
  timezone: 'America/New_York',
  concurrency: '10',
  pace: '10/s',
  rules: '[always]',
  polling: '{ floor: 1s, ceiling: 1m, deadline: 2h }',
  longestCall: '15m',
  results: '{ file: ../data/results/example.csv, format: csv }',
};

/** campaigns/example.yaml: every key, explained. */
export function exampleFile() {
  const parts = SETTING_GROUPS.map((group) => {
    const names = SETTING_ROWS.filter(([, row]) => row.group === group).map(([key]) =>
      key.replace(/\..*/, ''),
    );
    return `# ${group}\n\n${[...new Set(names)].map(entryOf).join('\n')}`;
  });
  return `# A campaign file, with every key that this version knows. Run it with
#   callsheet run campaigns/example.yaml
# It uses the embedded service: nobody is called. Paths are relative to this file.
#
# Every key can be given for one run as a flag: --set concurrency=10, --set polling.floor=2s.
# Durations are 50ms 5s 10m 2h 1d; paces 10/s 60/min 500/h. A key that is unknown is an error.

${parts.join('\n')}`;
}

/** @param {string} name the first part of a key */
function entryOf(name) {
  const inside = SETTING_ROWS.filter(([key]) => key.startsWith(`${name}.`));
  const own = SETTINGS[name];
  const about = [
    ...(own === undefined ? [] : [commentOf(own)]),
    ...inside.map(([key, row]) => commentOf(row, key.slice(name.length + 1))),
  ];
  const parts = inside.map(([key, row]) => [key.slice(name.length + 1), exampleOf(row)]);
  const value = SET[name] ?? (parts.length === 0 ? exampleOf(own) : flow(parts));
  return `${about.join('')}${name in SET ? '' : '# '}${name}: ${value}\n`;
}

function commentOf(row, part) {
  const text = `${part === undefined ? '' : `  ${part}: `}${settingSentence(row)} Default: ${row.byDefault}.`;
  return `${text.replace(/(.{1,112})(?:\s+|$)/g, '# $1\n')}`;
}

function exampleOf({ such, byDefault }) {
  const value = such ?? byDefault;
  return /^\[/.test(value) || !/[:*{}#,]/.test(value) ? value : `'${value}'`;
}

/** @param {[string, string][]} entries by dotted names */
function flow(entries) {
  const shown = [];
  for (const name of new Set(entries.map(([key]) => key.replace(/\..*/, '')))) {
    const below = entries.filter(([key]) => key.startsWith(`${name}.`));
    const value =
      below.length === 0
        ? entries.find(([key]) => key === name)[1]
        : flow(below.map(([key, each]) => [key.slice(name.length + 1), each]));
    shown.push(`${name}: ${value}`);
  }
  return `{ ${shown.join(', ')} }`;
}
