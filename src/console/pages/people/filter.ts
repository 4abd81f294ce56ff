import type { Filters } from '../../contract/people.ts';
import { LEAD_STATES, RESULTS, wordOf } from '../parts/result-words.ts';

const NAMES = ['text', 'state', 'result', 'list', 'zone', 'sentiment'] as const;

/** Who is shown; as it stands in the address and is asked of the API. */
export type PeopleFilter = Partial<Record<(typeof NAMES)[number], string>>;

/** For `setParams`: none of it. */
export const NO_FILTER = Object.fromEntries(NAMES.map((name) => [name, null]));

export function filterIn(params: URLSearchParams): PeopleFilter {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = params.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** `result answered`, `"ann" in the number or a cell`: one for each choice that is made. */
export function filterWords(filter: PeopleFilter, choices: Filters | undefined): string[] {
  const { text, state, result, list, zone, sentiment } = filter;
  return [
    text !== undefined && `“${text}” in the number or a cell`,
    state !== undefined && `state ${wordOf(LEAD_STATES, state).text}`,
    result !== undefined && `result ${wordOf(RESULTS, result).text}`,
    list !== undefined && `list ${list}`,
    zone !== undefined && `zone ${zoneText(zone, choices)}`,
    sentiment !== undefined && `sentiment ${sentiment}`,
  ].filter((words) => words !== false);
}

/** The zones of a place; `America/Chicago or America/New_York` where a person may be in either. */
export function zonesText(zones: readonly string[]): string {
  return zones.length === 0 ? 'not known' : zones.join(' or ');
}

/** A place as its choice is called, with the states whose rules hold there. @param key as in `Filters` */
export function zoneText(key: string, choices: Filters | undefined): string {
  const zones = choices?.zones.find((one) => one.key === key)?.zones;
  const [, regions = ''] = key.split(';');
  const more = regions === '' ? '' : ` (${regions.replaceAll(',', ', ')})`;
  return zones === undefined ? key : `${zonesText(zones)}${more}`;
}

/** A list is kept with its whole path; its name tells it from others. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
