import { SETTING_GROUPS } from '../../campaign/settings/setting-words.ts';

/** A field of one setting. */
export interface FieldWords {
  key: string;
  label: string;
  about?: string;
  placeholder?: string;
  /** Value and text; without it, a line of text. */
  choices?: readonly (readonly [value: string, text: string])[];
}

export const PACE: readonly FieldWords[] = [
  {
    key: 'concurrency',
    label: 'Calls at once',
    about: '1 to 10000; 5 where nothing is typed',
    placeholder: '5',
  },
  {
    key: 'pace',
    label: 'Calls begun, at most',
    about: 'As 60/min or 10/s',
    placeholder: 'no limit',
  },
  { key: 'ringTime', label: 'Rings at most', about: '5s to 5m', placeholder: '60s' },
];

export const RETRIES: readonly FieldWords[] = [
  {
    key: 'retry.attempts',
    label: 'Calls to a person, in all',
    about: '1 to 20; nobody is called again where nothing is typed',
    placeholder: '1',
  },
  {
    key: 'retry.perDay',
    label: 'Calls to a person a day',
    about: '1 to 20, or none: no limit',
    placeholder: '2',
  },
  {
    key: 'retry.gap',
    label: 'Time between two calls',
    about: 'As 30m, 2h or 1d',
    placeholder: '2h',
  },
  { key: 'retry.after.no_answer', label: 'After no answer', placeholder: '2h' },
  { key: 'retry.after.busy', label: 'After busy', placeholder: '30m' },
  { key: 'retry.after.voicemail', label: 'After voicemail', placeholder: '1d' },
];

export const RESULTS: readonly FieldWords[] = [
  {
    key: 'results.format',
    label: 'Format of the results file',
    about: 'All formats can be downloaded from the page of the campaign, too',
    choices: [
      ['', 'csv (default)'],
      ['csv', 'csv'],
      ['excel', 'csv for Excel'],
      ['xlsx', 'Excel workbook (.xlsx)'],
      ['jsonl', 'JSON lines'],
    ],
  },
];

/** Those that have fields of their own above, and those of folders that are watched, which a draft does not have. */
const ELSEWHERE = new Set([
  ...[...PACE, ...RETRIES, ...RESULTS].map(({ key }) => key),
  ...['agent', 'rules', 'hours', 'holidays', 'timezone', 'country', 'leads', 'watch', 'after'],
  ...['hours.from', 'hours.to', 'hours.days', 'leadsMode', 'leadsMaxMegabytes'],
]);

/** All other settings. */
export const OTHERS: readonly FieldWords[] = SETTING_GROUPS.flatMap(({ settings }) => settings)
  .filter(({ isLocal }) => isLocal !== true)
  .flatMap(({ key, about, parts }): FieldWords[] =>
    parts === undefined
      ? [{ key, label: key, about }]
      : Object.entries(parts).map(([part, text]) => ({ key: part, label: part, about: text })),
  )
  .filter(({ key }) => !ELSEWHERE.has(key));

/** Whether a setting has a field, at which a refusal can stand. */
export function hasField(key: string): boolean {
  return key === 'name' || key === 'service' || SHOWN.has(key);
}

const SHOWN = new Set([...ELSEWHERE, ...OTHERS.map(({ key }) => key)]);
