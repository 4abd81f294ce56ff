/** Numbers in a form for people, the same in messages and in the report. */

/** A length of time: `42 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. @param ms not below 0 */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return joined(hours, 'h', minutes % 60, 'min');
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return `${grouped(large)} ${largeUnit}${small === 0 ? '' : ` ${small} ${smallUnit}`}`;
}

/** `72%`; never 0% for a part above zero, and never 100% for less than the whole. */
export function percent(part: number, of: number): string {
  if (of === 0) return '-';
  // Multiplied before dividing, because in binary 57 / 200 is a little less than 0.285 and would round down.
  const rounded = Math.round((part * 100) / of);
  if (rounded === 0 && part > 0) return '<1%';
  return rounded === 100 && part < of ? '>99%' : `${rounded}%`;
}

/** A count with thousands separators: `20,000`. Without `Intl`, whose first use takes 10 ms of each start. */
export function grouped(count: number): string {
  return String(count).replaceAll(THOUSANDS, ',');
}

const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** A range of lengths of time: `under 10 s`, `10 s to 30 s`, `10 min and more`. */
export function lengthText(fromMs: number | null, upToMs: number | null): string {
  if (fromMs === null) return upToMs === null ? 'any' : `under ${durationText(upToMs)}`;
  return upToMs === null
    ? `${durationText(fromMs)} and more`
    : `${durationText(fromMs)} to ${durationText(upToMs)}`;
}

/** `0.123 USD`, `13 credits`, with every digit; without a unit, the number alone. @param amount decimal text */
export function costText(amount: string, currency: string): string {
  const [whole = '', fraction] = amount.split('.');
  const number = whole.replaceAll(THOUSANDS, ',') + (fraction === undefined ? '' : `.${fraction}`);
  return withUnit(number, currency);
}

/** Like `costText`, rounded to the cent: `1,234.57 USD`. Less than a cent keeps two digits, so that it is never 0. */
export function costSumText(total: string, currency: string): string {
  // Made at the first use, as it takes 15 ms.
  toTheCent ??= new Intl.NumberFormat('en-US', {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 2,
    roundingPriority: 'morePrecision',
  });
  return withUnit(toTheCent.format(total as `${number}`), currency);
}

/** Given decimal text, `format` rounds its exact decimal digits, not a binary number. */
let toTheCent: Intl.NumberFormat | undefined;

function withUnit(number: string, currency: string): string {
  return currency === '' ? number : `${number} ${currency}`;
}

/** A mean of scores with two decimals: `0.75`. */
export function scoreText(mean: number): string {
  return mean.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
