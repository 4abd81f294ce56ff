import { invalidFlag } from '../../config/hints.ts';
import { LEAD_RESULTS, LEAD_STATES } from '../../domain/lead.ts';
import type { E164 } from '../../domain/phone.ts';
import { requireCountry } from '../../leads/phone/countries.ts';
import { parsePhone } from '../../leads/phone/parse-phone.ts';
import type { Campaign, PeopleQuery } from '../../store/port.ts';

const MOST_ON_PAGE = 200;
const USUAL_ON_PAGE = 100;
const LONGEST_TEXT = 200;

/** Who is shown, as a person or an address has it; a page is named by at most one of `after`, `before` and `at`. */
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
  before?: string | undefined;
  /** So many people come before the page; not with `text`, `sentiment`, or `zone` together with a state or result. */
  at?: number | undefined;
  /** 1 to 200; default 100. */
  limit?: number | undefined;
}

/** @throws AppError `FLAG_INVALID` (exit 2) */
export function readPeopleQuery(choice: PeopleChoice, campaignId: string): PeopleQuery {
  const { list, zone, sentiment, text, limit = USUAL_ON_PAGE } = choice;
  requireWhole('limit', limit, 1, MOST_ON_PAGE);
  if (list !== undefined) requireWhole('list', list, 1, Number.MAX_SAFE_INTEGER);
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
    from: readFrom(choice),
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

function readFrom(choice: PeopleChoice): PeopleQuery['from'] {
  const { after, before, at } = choice;
  if ([after, before, at].filter((one) => one !== undefined).length > 1)
    throw invalidFlag('after, before and at each name a page; give one of them.');
  if (after !== undefined) return { cursor: readCursor('after', after), direction: 'after' };
  if (before !== undefined) return { cursor: readCursor('before', before), direction: 'before' };
  if (at === undefined) return null;
  requireWhole('at', at, 0, Number.MAX_SAFE_INTEGER);
  if (at > 0 && !isCounted(choice)) {
    throw invalidFlag(
      'at needs people who are counted: without text or sentiment, and zone without state or result. Give after or before instead.',
    );
  }
  return { at };
}

/** True when the store knows how many match, see PeoplePage. */
function isCounted({ text = '', sentiment = '', zone = '', state, result }: PeopleChoice): boolean {
  const stands = (state ?? result ?? '') !== '';
  return text.trim() === '' && sentiment === '' && !(zone !== '' && stands);
}

function readCursor(name: string, text: string) {
  const [, list, line] = /^(\d{1,5}):(\d{1,10})$/.exec(text) ?? [];
  if (list !== undefined && line !== undefined) return { list: Number(list), line: Number(line) };
  throw invalidFlag(`${name} is "${text}"; it takes a cursor of a page, such as 1:250.`);
}

function requireWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const upTo = most === Number.MAX_SAFE_INTEGER ? 'up' : `to ${most}`;
  throw invalidFlag(`${name} is ${value}; it takes a whole number from ${least} ${upTo}.`);
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
