import { foldWords, phraseTest } from '../../../text/fold-words.ts';
import { typedDate, type TypedDate } from '../../../text/wall-clock.ts';
import {
  BLOCKS,
  deniesRefusal,
  isCheck,
  isConsent,
  isEveryWay,
  isNotYet,
  isOutOfUse,
  isSometimes,
  isTakenOff,
  isTechnical,
  isTurned,
  namesConsent,
  readAnswer,
  saysNo,
} from './permission-words.ts';
import {
  isAboutCalls,
  isAboutOtherWays,
  isAboutPhone,
  isActive,
  refuses,
  tellsWhatHappened,
} from './do-not-call-words.ts';

/** What a cell says about calling its person; a day is `YYYY-MM-DD`. */
export type CallRefusal =
  /** The person refuses calls: they go on the suppression list of all campaigns. */
  | { kind: 'forever' }
  /** The person may be called again after this day. */
  | { kind: 'until'; day: string }
  /** Not called in this campaign, such as `Deceased` or `Wrong number`; other campaigns decide for themselves. */
  | { kind: 'here' }
  /** A refusal beside words that may turn it, such as `Do not call before 10am`: a person decides. */
  | { kind: 'unclear' };

/** The most characters of one statement; a longer cell is a note or a list of tags. */
const LONGEST = 80;

/**
 * Reads whether a short cell of any column refuses calls.
 * @param cell at most 80 characters are one or a few statements; a longer cell is read as a list of tags
 * @param today `YYYY-MM-DD`: a refusal that ended before today counts as none
 * @returns null where the cell refuses nothing, or only e-mail, texts or post
 */
export function readRefusal(cell: string, today: string): CallRefusal | null {
  const said = whatIsSaid(cell, today);
  return said === 'turned' ? null : said;
}

/** As `readRefusal`; `turned`: the cell names a refusal and denies it, or it is about another way than calls. */
export function whatIsSaid(cell: string, today: string): CallRefusal | 'turned' | null {
  if (!/[\p{L}]/u.test(cell)) return null;
  const parts = (
    cell.length > LONGEST ? [...new Set(cell.split(/[,;|\n]/))] : partsOf(cell)
  ).filter((part) => part.trim() !== '' && part.length <= LONGEST);
  const said = parts.map((part) => readPart(part, today));
  const refusals = said.filter((one) => one !== null && one !== 'turned');
  for (const kind of ORDER) {
    const strongest = refusals.find((one) => one.kind === kind);
    if (strongest !== undefined) return strongest;
  }
  // A refusal whose words are on both sides of a comma: `Opt-out: e-mail, phone`.
  const isSplit =
    (parts.length > 1 && !said.includes('turned')) ||
    parts.some((part, n) => said[n] === null && isWayAlone(foldWords(part)));
  const whole = isSplit && cell.length <= LONGEST ? readPart(cell, today) : null;
  if (whole !== null && whole !== 'turned') return UNCLEAR;
  return said.includes('turned') ? 'turned' : null;
}

/** True for the name of calls alone, in a list of ways: `phone`, `and calls`. */
function isWayAlone(folded: string): boolean {
  return folded.split(' ').length <= 2 && (isAboutCalls(folded) || isAboutPhone(folded));
}

export const FOREVER = { kind: 'forever' } as const;
export const HERE = { kind: 'here' } as const;
export const UNCLEAR = { kind: 'unclear' } as const;
const ORDER = ['forever', 'until', 'unclear', 'here'] as const;

const ONLY = phraseTest(
  'only/nur/seulement/uniquement/solo/sólo/solamente/apenas/somente/soltanto/alleen/endast/bara/kun/bare/vain/tylko/только/лише/тільки/само/jen/pouze/len/iba/csak/doar/numai/sadece/yalnız/μόνο/tik/tikai/ainult/samo/hanya/chỉ/केवल/सिर्फ/فقط/صرف/רק | =เท่านั้น/のみ/だけ/只/仅/僅/만',
);
const CHANNELS = phraseTest(
  'channel/channels/contact | kanal…/kanäle… | canal/canaux/canales/canais/canali | kanaal/kanalen/kanaler/kanały/kanałów | канал… | csatorn…/κανάλ… | =チャネル/渠道/채널',
);
/** Words that are about calls wherever they are, even beside another way: `DNC, SMS`. */
const CODES = /^(?:dnc|dncr|dncl|dncc|ndnc|ndncr|ncpr|dnd|tps|ctps|donotcall)$/;
const BEFORE = phraseTest('previously/formerly/former/ex_dnc/früher/ehemals/ancien/antes/ehem');
const TIME =
  /\d\s?(?:a\.?m|p\.?m|uhr|h|hrs?|o.?clock|час\p{L}*|год|hod\p{L}*|órakor|óra|時|时|點|点|시)(?![\p{L}])|\d{1,2}[:h]\d{2}/iu;
const UNTIL = new Set(
  'until till til bis zum vor before prior fore jusqu jusque au avant hasta antes ate fino al prima tot voor fram innan indtil for inntil saakka asti ennen do przed до преди pred ig elott pana inainte kadar dek once μεχρι εως πριν iki pries lidz pirms kuni enne hingga sampai sebelum den truoc तक حتى الى قبل تا تک عد עד לפני through expires expiring expiry ends valid gueltig gultig'.split(
    ' ',
  ),
);
const UNTIL_AFTER =
  /^[日일号]?\s*(?:tarihine\s|tarihinden\s)?(?:kadar|dek|önce|ig|-ig|előtt|asti|saakka|तक|تک|까지|전|まで|以前|前|之前)/u;
const UNTIL_WHEN = phraseTest(
  'until/till/bis_auf/bis_zum/bis_nach/jusqu/jusque/hasta/até/fino_a/tot_nader/tills/indtil/inntil/toistaiseksi/до_особ…/aż_do/dokud/amíg/până_la/kadar/μέχρι/līdz/kuni/hingga/sampai/cho_đến | =จนกว่า/まで/直到/까지',
);

/** The statements of a cell; `e-mail only` after a comma is about the statement before. */
function partsOf(cell: string): string[] {
  const parts: string[] = [];
  for (const part of cell.split(/[;|\n]|,(?!\s*20\d\d)|\s\/\s|(?<!\d)[.!]\s/)) {
    const folded = foldWords(part);
    const before = parts.at(-1);
    const isAboutIt = ONLY(folded) && isAboutOtherWays(folded) && before !== undefined;
    if (isAboutIt && !isAboutCalls(foldWords(before))) parts.push(`${parts.pop() ?? ''} ${part}`);
    else parts.push(part);
  }
  return parts;
}

function readPart(part: string, today: string): CallRefusal | 'turned' | null {
  const folded = foldWords(part);
  // The word by which people answer texts, which ends a consent to calls as well (47 CFR 64.1200(a)(10)).
  if (folded === 'stop') return UNCLEAR;
  const answered = readAnswered(part);
  if (answered === 'turned') return 'turned';
  const said = answered ?? readStatement(part, folded);
  if (said === null || said === 'turned' || said === UNCLEAR) return said;
  if (isLineOnly(folded, said)) return 'turned';
  const other = aboutOtherWays(folded);
  if (other !== null) return other;
  if (said === HERE) return HERE;
  if (isOutOfUse(folded) && isTakenOff(folded)) return HERE;
  return whenRefused(part, today);
}

const ANSWERED = /^(.+?)(?:\s*[:=]\s*|\s[-–—]\s|\?\s+)([^:=]+)$/;

/** Short for `No calls please`, or for their number. */
const NO_CALLS = /^no (?:phone )?calls(?: (?:please|until|till|before) .*)?$/;

/** A name and a yes or no, as in a column of that name: `DNC: no`, `Active = No`. */
function readAnswered(part: string): CallRefusal | 'turned' | null {
  const [, name = '', cell = ''] = ANSWERED.exec(part.trim()) ?? [];
  const answer = readAnswer(cell);
  const isNo = saysNo(cell);
  if (name === '' || answer === 'other' || answer === 'cross') return null;
  const head = foldWords(name);
  if (refuses(head)) {
    if (/^ok(?:ay)?$/i.test(cell.trim())) return isCheck(head) ? 'turned' : UNCLEAR;
    return isNo || deniesRefusal(cell) || isTurned(head, refuses) ? 'turned' : FOREVER;
  }
  if (isActive(head)) return isNo ? HERE : 'turned';
  if (isOutOfUse(head)) return isNo || answer === 'nothing' ? 'turned' : HERE;
  if (namesConsent(head) === true || (isConsent(head) && !isAboutOtherWays(head))) {
    return isNo ? FOREVER : 'turned';
  }
  const isCalls = isAboutCalls(head) && !/^(?:\w+ )?calls?$/.test(head) && !head.includes(' ');
  return isCalls && isNo ? UNCLEAR : null;
}

function readStatement(part: string, folded: string): CallRefusal | 'turned' | null {
  const pieces = part
    .split(/\s[-–—]+\s|[()[\]:]/)
    .map(foldWords)
    .filter((piece) => piece !== '');
  if (NO_CALLS.test(folded)) return folded.includes(' calls ') ? FOREVER : UNCLEAR;
  const refusing = pieces.some(refuses) ? pieces.filter(refuses) : refuses(folded) ? [folded] : [];
  if (refusing.length > 0) {
    return refusing.every((piece) => isTurned(piece, refuses)) ? 'turned' : FOREVER;
  }
  if (!isOutOfUse(folded) || (isAboutCalls(folded) && /disconnect/.test(folded))) return null;
  return pieces.some((piece) => isTurned(piece, isOutOfUse)) ? 'turned' : HERE;
}

/** True where the telephone or the network refuses, and not the person: `Call blocked by carrier`. */
function isLineOnly(folded: string, said: CallRefusal): boolean {
  const others = folded.split(' ').filter((word) => !BLOCKS.test(word));
  const rest = others.join(' ');
  return isTechnical(folded) && !(said === HERE ? isOutOfUse(rest) : refuses(rest));
}

/** What a refusal of e-mail, texts or post says about calls; null: it is not about these alone. */
function aboutOtherWays(folded: string): 'turned' | CallRefusal | null {
  if (!isAboutOtherWays(folded) || isAboutPhone(folded)) return null;
  if (isEveryWay(folded) && CHANNELS(folded)) return null;
  const words = folded.split(' ');
  if (isAboutCalls(words.filter((word) => !CODES.test(word)).join(' '))) return null;
  return words.some((word) => CODES.test(word)) ? UNCLEAR : 'turned';
}

/** A cell that refuses calls, by the time for which it does. */
export function whenRefused(part: string, today: string): CallRefusal | 'turned' {
  if (part.length > LONGEST) return FOREVER;
  const folded = foldWords(part);
  const date = typedDate(part);
  const day = date?.days.at(-1) ?? '';
  if (date !== null && isUntil(date)) return day < today ? 'turned' : { kind: 'until', day };
  if (date !== null && today !== '' && date.days[0] > today) return UNCLEAR;
  if (isNotYet(folded)) return tellsWhatHappened(folded) ? 'turned' : UNCLEAR;
  const isPartly =
    (date === null && TIME.test(part)) ||
    isSometimes(folded) ||
    UNTIL_WHEN(folded) ||
    BEFORE(folded) ||
    part.trim().endsWith('?');
  return isPartly ? UNCLEAR : FOREVER;
}

function isUntil({ before, after }: { before: string; after: string }): boolean {
  const last = foldWords(before).split(' ').slice(-2);
  return last.some((word) => UNTIL.has(word)) || UNTIL_AFTER.test(after);
}

/** The last day in words such as `valid until 2027-12-31`, the earliest that they may mean; null where they name none. */
export function lastDayIn(cell: string): string | null {
  const date = dateIn(cell);
  return date !== null && isUntil(date) ? date.days[0] : null;
}

/** The date in a cell; null where it names none, or is longer than a statement. */
export function dateIn(cell: string): TypedDate | null {
  return cell.length > LONGEST ? null : typedDate(cell);
}
