import { invalidFlag } from '../../config/hints.ts';
import { LEAD_RESULTS, LEAD_STATES } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import type { Campaign, PeopleQuery } from '../../store/port.ts';

const LONGEST_TEXT = 200;

/** Who is shown, as a person or an address has it. */
export interface PeopleChoice {
  /** The list's number within the campaign. */
  list?: number | undefined;
  state?: string | undefined;
  result?: string | undefined;
  /** A place's key, or the name of one of its zones. */
  zone?: string | undefined;
  /** The service's word for the call, e.g. `positive`. */
  sentiment?: string | undefined;
  /** A number, as typed, or words of cells; see PeopleFilter. */
  text?: string | undefined;
  /** A cursor of a page that was read: `list:line`. */
  after?: string | undefined;
  /** 1 to 200. */
  limit: number;
}

/** @throws AppError `FLAG_INVALID` (exit 2) */
export function readPeopleQuery(choice: PeopleChoice, campaignId: string): PeopleQuery {
  const { list, zone, sentiment, text, after, limit } = choice;
  if (text !== undefined && text.length > LONGEST_TEXT)
    throw invalidFlag(
      `text has ${text.length} characters; at most ${LONGEST_TEXT} are looked for.`,
    );
  return {
    campaignId,
    list,
    state: oneOf('state', choice.state, LEAD_STATES),
    result: oneOf('result', choice.result, LEAD_RESULTS),
    zone: zone === '' ? undefined : zone,
    sentiment: sentiment === '' ? undefined : sentiment,
    text,
    after: after === undefined ? null : readCursor(after),
    limit,
  };
}

/** The number that a text is in the campaign's country; undefined: it is something else, or has its `+` already. */
export function numberTyped(
  text: string | undefined,
  { settings: { country } }: Campaign,
): E164 | undefined {
  if (text === undefined || !/^[\d\s()./-]+$/.test(text)) return undefined;
  const parsed = parsePhone(text, country === null ? null : requireCountry(country));
  return parsed.ok ? parsed.phone : undefined;
}

function readCursor(text: string) {
  const [, list, line] = /^(\d{1,5}):(\d{1,10})$/.exec(text) ?? [];
  if (list !== undefined && line !== undefined) return { list: Number(list), line: Number(line) };
  throw invalidFlag(`after is "${text}"; it takes a cursor of a page, such as 1:250.`);
}

/** An empty text is no choice. */
function oneOf<Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (value === undefined || value === '') return undefined;
  const known = words.find((word) => word === value);
  if (known !== undefined) return known;
  throw invalidFlag(`${name} is "${value}"; it takes ${words.join(', ')}.`);
}
