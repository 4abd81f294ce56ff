import type { LogChoices } from '../../contract/access.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { SearchField } from '../parts/forms/search-field.tsx';
import { params, setParams } from '../shell/navigation.ts';

/** All of them are in the address. */
export function LogFilters({ choices }: { choices: LogChoices | undefined }) {
  const { who = '', what = '', from = '', to = '' } = Object.fromEntries(params.value);
  return (
    <div class="log-filters">
      <SearchField label="Search the log" placeholder="A name, a campaign, a word" />
      <SelectField
        label="By"
        value={who}
        choices={withAny(
          'Anybody',
          who,
          (choices?.who ?? []).map((name) => ({ value: name, text: name })),
        )}
        onChange={(chosen) => {
          setParams({ who: chosen });
        }}
      />
      <SelectField
        label="What"
        value={what}
        choices={withAny(
          'Anything',
          what,
          (choices?.what ?? []).map((one) => ({ value: one.what, text: one.text })),
        )}
        onChange={(chosen) => {
          setParams({ what: chosen });
        }}
      />
      <TextField
        label="From"
        type="date"
        value={from}
        onChange={(day) => {
          setParams({ from: day });
        }}
      />
      <TextField
        label="Through"
        type="date"
        value={to}
        onChange={(day) => {
          setParams({ to: day });
        }}
      />
    </div>
  );
}

interface Choice {
  value: string;
  text: string;
}

/** A choice of the address that the log does not have yet is kept. */
function withAny(any: string, chosen: string, choices: readonly Choice[]): Choice[] {
  const isKnown = chosen === '' || choices.some(({ value }) => value === chosen);
  return [
    { value: '', text: any },
    ...choices,
    ...(isKnown ? [] : [{ value: chosen, text: chosen }]),
  ];
}
