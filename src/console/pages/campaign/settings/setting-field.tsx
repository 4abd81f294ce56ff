import {
  choicesOf,
  settingSentence,
  SETTINGS,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import type { ProblemBody } from '../../../contract/common.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Said } from '../../parts/said.tsx';

/** The field of a setting, a menu where it has choices. @param empty the text of the choice of nothing; default: none */
export function SettingField({
  setting,
  label,
  empty,
  ...field
}: {
  setting: SettingKey;
  label: string;
  empty?: string | undefined;
  value: string;
  problem: ProblemBody | undefined;
  onChange: (value: string) => void;
}) {
  const row = SETTINGS[setting];
  const own = { ...field, label, about: <Said text={settingSentence(row)} /> };
  const choices = choicesOf(row);
  if (choices === undefined)
    return <TextField {...own} autoComplete="off" placeholder={empty ?? ''} />;
  const none = empty === undefined ? [] : [{ value: '', text: empty }];
  return <SelectField {...own} choices={[...none, ...choices]} />;
}
