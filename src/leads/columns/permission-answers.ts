import type { ListMapping } from '../../domain/lists/list-mapping.ts';
import { foldWords, remembered } from '../../text/fold-words.ts';
import {
  deniesRefusal,
  isYesOrNo,
  readAnswer,
  saysNo,
  saysNothing,
  saysYes,
} from './words/permission-words.ts';
import { isAboutPhone, isOfOtherWays, namesDoNotCall } from './words/do-not-call-words.ts';
import {
  dateIn,
  FOREVER,
  HERE,
  lastDayIn,
  readRefusal,
  UNCLEAR,
  whatIsSaid,
  whenRefused,
  type CallRefusal,
} from './words/read-refusal.ts';

/** What a cell of a column that decides about calls says; null: nothing that keeps the person from being called. */
type Said =
  | CallRefusal
  /** The consent has ended. */
  | { kind: 'expired' }
  | { kind: 'through'; day: string }
  /** The consent was given on this day. */
  | { kind: 'given'; day: string }
  | null;

/** What a row says about calling its person, by the column that decides; days are `YYYY-MM-DD`. */
export interface CallAnswer {
  column: number;
  /** `between`: called only after the day `after` and until the day `through`. See `Said` for the others. */
  says: 'forever' | 'here' | 'expired' | 'unclear' | 'between';
  after?: string;
  through?: string;
  /** The first day on which consent was given, and the column that says so. */
  given?: { day: string; column: number };
}

/** The strongest first; all but the last keep a row from being taken. */
const STRENGTHS = ['forever', 'here', 'expired', 'unclear', 'between'] as const;

/**
 * Returns a function that finds the column of a row that decides about calling the person, if any. Only the columns in
 * `mapping` are read. A refusal in any column outranks the others; of several days the strictest counts.
 * @param today `YYYY-MM-DD`; empty: not known, so nothing has ended
 */
export function callAnswers(
  mapping: ListMapping,
  today: string,
): (cells: readonly string[]) => CallAnswer | undefined {
  const { doNotCall, mayCall = [], callStates = [], outOfUse = [] } = mapping;
  const { lastDays = [], unclear = [] } = mapping;
  // The cells of such a column repeat a few values. Without the cache the import of 200,000 rows with a status column
  // and a consent column takes 24 % more processor time (6.7 s instead of 5.4 s).
  const reader = (column: number, read: (cell: string) => Said) =>
    [column, remembered(read)] as const;
  const readers = [
    ...doNotCall.map((column) => reader(column, (cell) => refusedIn(cell, today))),
    ...callStates.map((column) => reader(column, (cell) => stateIn(cell, today))),
    ...mayCall.map(({ column, emptyIsNo }) =>
      reader(column, (cell) => consentIn(cell, emptyIsNo, today)),
    ),
    ...lastDays.map(({ column, of }) => reader(column, (cell) => dayOf(cell, of, today))),
    ...outOfUse.map(({ column, when }) => reader(column, (cell) => useIn(cell, when, today))),
    ...unclear.map((column) => reader(column, (cell) => (mayAnswer(cell) ? UNCLEAR : null))),
  ];

  return (cells) => {
    let found: CallAnswer | undefined;
    for (const [column, read] of readers) {
      const said = read(cells[column] ?? '');
      if (said !== null) found = stricter(found, column, said);
      if (found?.says === 'forever') return found;
    }
    return found;
  };
}

function stricter(
  known: CallAnswer | undefined,
  column: number,
  said: NonNullable<Said>,
): CallAnswer {
  const says = 'day' in said ? 'between' : said.kind;
  const isWeaker = known !== undefined && STRENGTHS.indexOf(known.says) < STRENGTHS.indexOf(says);
  if (isWeaker) return known;
  const found: CallAnswer = known?.says === says ? known : { column, says };
  if (!('day' in said)) return found;
  const { kind, day } = said;
  const { after = '', through = '9999', given } = found;
  if (kind === 'until') return { ...found, column, after: day > after ? day : after };
  if (kind === 'through') return { ...found, through: day < through ? day : through };
  return given !== undefined && given.day <= day ? found : { ...found, given: { day, column } };
}

/** True for a cell of an unclear column that may say who must not be called: yes, no, or words such as `No calls`. */
export function mayAnswer(cell: string): boolean {
  if (isYesOrNo(cell) || namesDoNotCall(foldWords(cell)) === 'perhaps') return true;
  return readRefusal(cell, '') !== null;
}

/** In a do-not-call column any content, even a date, forbids calls, unless it denies that or is about another way. */
function refusedIn(cell: string, today: string): Said {
  if (deniesRefusal(cell)) return null;
  if (isYesOrNo(cell)) return FOREVER;
  const said = whatIsSaid(cell, today);
  const folded = foldWords(cell);
  if (said === 'turned' || (said === null && isOfOtherWays(folded) && !isAboutPhone(folded)))
    return null;
  if (said?.kind === 'until' || said?.kind === 'unclear') return said;
  const when = said === null ? whenRefused(cell, today) : FOREVER;
  return when === 'turned' ? null : when;
}

/** A status that cannot be read may be a refusal. */
function stateIn(cell: string, today: string): Said {
  return readRefusal(cell, today) ?? (cell.includes('\ufffd') ? UNCLEAR : null);
}

function consentIn(cell: string, emptyIsNo: boolean, today: string): Said {
  if (saysNo(cell)) return FOREVER;
  if (saysYes(cell)) return null;
  if (saysNothing(cell)) return emptyIsNo ? UNCLEAR : null;
  const said = readRefusal(cell, today);
  if (said !== null) return said;
  const last = lastDayIn(cell);
  if (last !== null) return heldThrough(last, today);
  const day = dayGiven(cell);
  return day === null || (today !== '' && day > today) ? UNCLEAR : { kind: 'given', day };
}

/** The day on which consent was given, in a cell with that day alone, or with a yes or a time of day beside it. */
export function dayGiven(cell: string): string | null {
  const date = dateIn(cell);
  if (date === null) return null;
  const rest = `${date.before} ${date.after}`
    .replace(TIME_OF_DAY, ' ')
    .replace(/[^\p{L}\p{M}\d]+/gu, ' ');
  const words = rest.trim().replace(BEFORE_A_DAY, '');
  return words === '' || saysYes(words) ? date.days[0] : null;
}

const TIME_OF_DAY =
  /(?<![.\d-])T?\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\b\.?|uhr|h\b|z\b|utc|gmt)?\s*(?:[+-]\d{2}:?\d{2})?/iu;
const BEFORE_A_DAY =
  /(?:^|\s)(?:on|at|since|from|am|seit|vom|le|depuis|du|el|desde|em|dal|il|op|sinds|den|od|с|от|日|일)$/iu;

function heldThrough(day: string, today: string): Said {
  return day < today ? { kind: 'expired' } : { kind: 'through', day };
}

/** A cell of a column of last days; an empty one says nothing. */
function dayOf(cell: string, of: 'refusal' | 'consent', today: string): Said {
  const days = dateIn(cell)?.days;
  if (days !== undefined && of === 'consent') return heldThrough(days[0], today);
  const day = days?.at(-1);
  if (day !== undefined) return day < today ? null : { kind: 'until', day };
  const isOpen = of === 'refusal' ? deniesRefusal(cell) : saysNothing(cell);
  return isOpen ? null : UNCLEAR;
}

/** A yes, in words or as a sign, or the day since when; a refusal in the place of an answer holds, too. */
function useIn(cell: string, when: 'yes' | 'no', today: string): Said {
  if (when === 'no' ? saysNo(cell) : isYesOrNo(cell) && !saysNo(cell) && !deniesRefusal(cell))
    return HERE;
  return when === 'yes' && dateIn(cell) !== null ? HERE : readRefusal(cell, today);
}

/** True for a status by which somebody must not be called by any campaign, such as `DNC`. */
export function isStateOfNo(state: string): boolean {
  return readRefusal(state, '')?.kind === 'forever';
}

/** True where cells such as `granted` and `denied` say by themselves that yes means: may be called. */
export function saysWhich(answers: readonly string[]): boolean {
  const said = answers.map(readAnswer);
  return (
    said.some((answer) => answer === 'refused' || answer === 'allowed') &&
    said.every((answer) => ['refused', 'allowed', 'agreed'].includes(answer))
  );
}
