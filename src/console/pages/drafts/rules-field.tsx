import type { Rule } from '../../contract/rules.ts';
import { get } from '../api/client.ts';
import { useLoaded } from '../api/loaded.ts';
import { CheckField } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/notice.tsx';

/** Rules to tick; several hold together, `always` is none. @param value names with commas between them */
export function RulesField({
  value,
  onChange,
}: {
  value: string;
  onChange: (value: string) => void;
}) {
  const rules = useLoaded((signal) => get<{ items: Rule[] }>('/rules', signal), []);
  const chosen = value.split(',').map((name) => name.trim());
  const toggle = (name: string, isOn: boolean) => {
    const others = chosen.filter((one) => one !== name && one !== 'always' && one !== '');
    const all = isOn ? [...others, name] : others;
    onChange(name === 'always' && isOn ? 'always' : all.length === 0 ? 'always' : all.join(','));
  };
  return (
    <fieldset class="rules-field">
      <legend>Rules of calling hours and caps</legend>
      {rules.problem !== undefined && <ProblemNotice problem={rules.problem} />}
      <CheckField
        checked={chosen.includes('always')}
        onChange={(isOn) => {
          toggle('always', isOn);
        }}
      >
        <strong>always</strong> <span class="soft">no calling hours and no caps</span>
      </CheckField>
      {rules.value?.items
        .filter(({ name }) => name !== 'always')
        .map(({ name, about }) => (
          <CheckField
            key={name}
            checked={chosen.includes(name)}
            onChange={(isOn) => {
              toggle(name, isOn);
            }}
          >
            <strong>{name}</strong> <span class="soft">{about}</span>
          </CheckField>
        ))}
    </fieldset>
  );
}
