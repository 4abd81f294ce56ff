import {
  choicesOf,
  SETTINGS,
  settingSentence,
  type SettingKey,
} from '../../../../config/table/settings-table.ts';
import type { CampaignDetail } from '../../../../views/campaigns.ts';
import type { ProblemBody } from '../../../contract/common.ts';
import { path } from '../../api/addresses.ts';
import { send } from '../../api/client.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Said } from '../../parts/notice.tsx';
import { useChange, type Changed } from '../change.tsx';
import type { ShownCampaign } from '../use-campaign.ts';

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

/** Changes settings by the keys and values of `callsheet set`. */
export function useSettings(
  shown: ShownCampaign,
  given: { now: (campaign: CampaignDetail) => string; onDone?: () => void },
) {
  const { name } = shown.campaign;
  return useChange(
    shown,
    (ifVersion, set: Record<string, string>) =>
      send<Changed>('PATCH', path`/campaigns/${name}/settings`, { ifVersion, set }),
    given,
  );
}

/** Which of the keys that were sent a refusal is about; undefined: none of them, e.g. a lost connection. */
export function keyOf({ code, detail }: ProblemBody, sent: readonly string[]): string | undefined {
  if (code === 'CONNECTION_LOST') return undefined;
  return sent.length === 1 ? sent[0] : sent.find((key) => detail.includes(key));
}
