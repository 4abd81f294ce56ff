import type { Filters, PersonRow } from '../../contract/people.ts';
import type { ProblemBody } from '../../contract/common.ts';
import { amount } from '../parts/amounts.ts';
import { SelectField } from '../parts/field.tsx';
import { SearchField } from '../parts/forms/search-field.tsx';
import { LEAD_STATES, RESULTS, wordOf } from '../parts/result-words.ts';
import { seesAll } from '../shell/session.ts';
import { setParams } from '../shell/navigation.ts';
import { fileName, zoneText, type PeopleFilter } from './filter.ts';

interface Choice {
  value: string;
  text: string;
}

/** The usual words; a service may have others. */
const SENTIMENTS = ['positive', 'neutral', 'negative'];
/** The API looks for no longer one. */
const LONGEST_WORD = 200;

/**
 * What the table can be searched and chosen by. All of it is kept in the address.
 *
 * @param people who are shown: their sentiments may be words of the service's own
 */
export function PeopleFilters({
  filter,
  choices,
  people,
  problem,
}: {
  filter: PeopleFilter;
  choices: Filters | undefined;
  people: readonly PersonRow[];
  /** Why the text cannot be searched for. */
  problem: ProblemBody | undefined;
}) {
  const { state, result, list, zone, sentiment } = filter;
  const lists = choices?.lists ?? [];
  const met = people.flatMap((person) => person.sentiment ?? []);
  const words = [...new Set([...SENTIMENTS, ...met])].filter((word) => word.length <= LONGEST_WORD);
  return (
    <div class="people-bar" role="group" aria-label="People of this campaign">
      <SearchField
        placeholder={seesAll.value ? 'Number, name or any cell' : 'Name or any cell'}
        problem={problem}
      />
      <FilterField
        name="state"
        label="State"
        value={state}
        choices={(choices?.states ?? []).map((one) => ({
          value: one.state,
          text: withCount(wordOf(LEAD_STATES, one.state).text, one.people),
        }))}
      />
      <FilterField
        name="result"
        label="Result"
        value={result}
        choices={(choices?.results ?? []).map((one) => ({
          value: one.result,
          text: withCount(wordOf(RESULTS, one.result).text, one.people),
        }))}
      />
      {(lists.length > 1 || list !== undefined) && (
        <FilterField
          name="list"
          label="List"
          value={list}
          choices={lists.map((one) => ({
            value: String(one.number),
            text: withCount(`${one.number}: ${fileName(one.path)}`, one.people),
          }))}
        />
      )}
      <FilterField
        name="zone"
        label="Zone"
        value={zone}
        choices={(choices?.zones ?? []).map((one) => ({
          value: one.key,
          text: withCount(zoneText(one.key, choices), one.people),
        }))}
      />
      <FilterField
        name="sentiment"
        label="Sentiment"
        value={sentiment}
        choices={words.map((word) => ({ value: word, text: word }))}
      />
    </div>
  );
}

/** A menu of choices; one that the address has and the menu not is kept. */
function FilterField({
  name,
  label,
  value = '',
  choices,
}: {
  name: string;
  label: string;
  value: string | undefined;
  choices: readonly Choice[];
}) {
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return (
    <SelectField
      label={label}
      value={value}
      choices={[
        { value: '', text: 'Any' },
        ...choices,
        ...(isKnown ? [] : [{ value, text: value }]),
      ]}
      onChange={(chosen) => {
        setParams({ [name]: chosen });
      }}
    />
  );
}

function withCount(text: string, people: number): string {
  return `${text} (${amount(people)})`;
}
