import type { Row } from '../../../../config/table/row.ts';
import { rowOf, SETTING_ROWS, type SettingKey } from '../../../../config/table/settings-table.ts';

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
