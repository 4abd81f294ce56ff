import type { Row } from '../../../../config/table/row.ts';
import { rowOf, SETTING_ROWS, type SettingKey } from '../../../../config/table/settings-table.ts';
import type { ProblemBody } from '../../../contract/common.ts';
import type { Planned } from '../../../contract/drafts.ts';

type Missing = Planned['missing'][number];

/** What has to be chosen before anybody can be called, as a refusal of its field. */
export function missingField({
  give,
  why,
}: Missing): [problem: ProblemBody, key: string | undefined] {
  const [, key, detail] = WORDS.find(([begins]) => give.startsWith(begins)) ?? [];
  const problem = {
    ...{ type: 'urn:callsheet:MISSING', title: 'missing', status: 0, code: 'MISSING' },
    detail: detail ?? why,
    hint: null,
  };
  return [problem, key];
}

const WORDS: readonly (readonly [begins: string, key: string, detail?: string])[] = [
  ['--service', 'service', 'Choose the service that makes the calls.'],
  ['--agent', 'agent', 'Choose the agent that speaks.'],
  ['--country', 'country', 'Some numbers have no country code: say which country they are of.'],
  ['the key', 'service'],
];

/** The settings that have their field in a part of the page, undefined: in none of their own. */
export function fieldsOn(part: Row['on']): SettingKey[] {
  return SETTING_ROWS.flatMap(([key, row]) => (row.on === part && hasField(key) ? [key] : []));
}

/** Whether a setting has a field, at which a refusal can stand. */
export function hasField(key: string): boolean {
  const row = rowOf(key);
  if (row === undefined || row.takes.is === 'group') return false;
  return row.on !== 'nowhere' && row.onlyHere === undefined;
}
