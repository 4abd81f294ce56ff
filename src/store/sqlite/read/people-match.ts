import type { PeopleFilter } from '../../port.ts';
import { comparable, haveWords, patternOf } from './cell-text.ts';
import { BEST_SEQ } from './export-rows.ts';

/** A text from its `+` on with so many digits is a number. */
const SHORTEST_NUMBER = 7;
/** So many digits may be a part of a number; fewer are looked for in cells alone. */
const FEWEST_DIGITS = 3;

/** What a lead must be: conditions on the columns of `leads`, and a test of what SQL cannot compare. */
export interface PeopleMatch {
  /** Joined by AND; `1` for everybody. */
  where: string;
  given: Record<string, string>;
  /** What a number begins with, e.g. `+12125550100`; null: no number is looked for. Part of `where`. */
  number: string | null;
  /** Of leads that fulfil `where`; null: all of them. */
  accepts: ((lead: { phone: string; cells: string }) => boolean) | null;
}

/** @param zoneKeys the keys of the places that `filter.zone` names */
export function peopleMatch(filter: PeopleFilter, zoneKeys: readonly string[]): PeopleMatch {
  const { state, result, zone, sentiment } = filter;
  const text = (filter.text ?? '').trim();
  const number = numberOf(text);
  const parts = number === null && text !== '' ? partsOf(text) : null;
  const conditions = [
    state !== undefined && 'leads.state = @state',
    result !== undefined && 'leads.result = @result',
    zone !== undefined && 'leads.zone_key IN (SELECT value FROM json_each(@zones))',
    sentiment !== undefined && HAS_SENTIMENT,
    number !== null && HAS_NUMBER,
    parts !== null && parts.where,
  ].filter((condition) => condition !== false);
  const given = {
    ...(state !== undefined && { state }),
    ...(result !== undefined && { result }),
    ...(zone !== undefined && { zones: JSON.stringify(zoneKeys) }),
    ...(sentiment !== undefined && { sentiment: sentiment.toLowerCase() }),
    ...(number !== null && { number, beyond: `${number}:` }),
    ...parts?.given,
  };
  const where = conditions.length === 0 ? '1' : conditions.map((one) => `(${one})`).join(' AND ');
  return { where, given, number, accepts: parts?.accepts ?? null };
}

/** The rows of leads with a number between `@number` and `@beyond`, of all campaigns where it is a further one. */
export const ROWS_OF_NUMBER = `SELECT row FROM leads AS numbered
    WHERE numbered.campaign_id = @campaignId AND numbered.phone >= @number AND numbered.phone < @beyond
  UNION SELECT lead_row FROM lead_numbers WHERE phone >= @number AND phone < @beyond`;

const HAS_NUMBER = `leads.row IN (${ROWS_OF_NUMBER})`;

const HAS_SENTIMENT = `leads.spent > 0 AND EXISTS (SELECT 1 FROM analytics INDEXED BY analytics_by_label
  WHERE attempt_seq = ${BEST_SEQ} AND sentiment_label = @sentiment)`;

function numberOf(text: string): string | null {
  const digits = digitsOf(text);
  return text.startsWith('+') && digits.length >= SHORTEST_NUMBER ? `+${digits}` : null;
}

/** The digits of a text that has only what stands in numbers; else none. */
function digitsOf(text: string): string {
  return /^[+\d\s()./-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '';
}

/** Words in cells, or digits in the number, perhaps with a zero in place of the country's code. */
function partsOf(text: string) {
  const typed = text.normalize('NFC').split(/\s+/);
  const [longest = ''] = typed.toSorted((a, b) => b.length - a.length);
  const words = typed.map(comparable);
  const digits = digitsOf(text).replace(/^0+/, '');
  const mayBeNumber = digits.length >= FEWEST_DIGITS;
  const inCells = "leads.cells LIKE @pattern ESCAPE '\\'";
  return {
    where: mayBeNumber ? `${inCells} OR leads.phone LIKE @digits` : inCells,
    given: { pattern: patternOf(longest), ...(mayBeNumber && { digits: `%${digits}%` }) },
    accepts: ({ phone, cells }: { phone: string; cells: string }) =>
      (mayBeNumber && phone.includes(digits)) || haveWords(JSON.parse(cells) as string[], words),
  };
}
