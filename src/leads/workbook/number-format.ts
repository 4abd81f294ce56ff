/** How a number format shows a number, and thus what the number is. */
export type NumberKind =
  /** An ordinary number, taken as it is stored. */
  | { kind: 'number' }
  /** A day or a time; `hasDay`: the format shows year, month or day; `isElapsed`: hours may exceed 24. */
  | { kind: 'moment'; hasDay: boolean; isElapsed: boolean }
  /** Digits of a code or a phone number: `00000` pads to five digits, `"+"0` puts a + in front. */
  | { kind: 'digits'; prefix: string; atLeast: number };

/** Returns the kind of a number; a format may treat numbers differently by sign or condition. */
export type NumberFormat = (value: number) => NumberKind;

/**
 * Reads a format code such as `[$-409]d/m/yy h:mm AM/PM;@` (ECMA-376 part 1, 18.8.31): up to four sections, for
 * positive, negative and zero numbers and for texts, or with conditions such as `[<=9999999]`.
 */
export function numberFormat(code: string): NumberFormat {
  const sections = sectionsOf(code).map(readSection);
  const [first, second = first, third = first] = sections;
  const kinds = new Set(sections.map(({ kind }) => JSON.stringify(kind)));
  if (first === undefined || kinds.size <= 1) return () => first?.kind ?? NUMBER;
  if (sections.some(({ holds }) => holds !== undefined)) {
    return (value) => (sections.find(({ holds }) => holds?.(value) ?? true) ?? first).kind;
  }
  return (value) => ((value > 0 ? first : value < 0 ? second : third) ?? first).kind;
}

const NUMBER: NumberKind = { kind: 'number' };

/** Tokens of a format code: quoted and escaped text, fillers, brackets, and every other character by itself. */
const TOKENS =
  /"([^"]*)"?|\\(.)|[_*].|\[([^[\]]*)\]|(general|standard)|(AM\/PM|A\/P|上午\/下午)|([\s\S])/giu;

function sectionsOf(code: string): RegExpExecArray[][] {
  const sections: RegExpExecArray[][] = [[]];
  for (const token of code.matchAll(TOKENS)) {
    if (token[0] === ';') sections.push([]);
    else sections.at(-1)?.push(token);
  }
  return sections;
}

function readSection(tokens: RegExpExecArray[]) {
  /** The section without literal text: date letters and digit placeholders. */
  let code = '';
  let shown = '';
  let hasDigits = false;
  let holds: ReturnType<typeof conditionOf>;
  for (const [, quoted, escaped, bracket, general, noon, plain] of tokens) {
    if (quoted !== undefined || escaped !== undefined) shown += quoted ?? escaped ?? '';
    else if (bracket !== undefined) {
      holds ??= conditionOf(bracket);
      if (/^(?:h+|m+|s+)$/i.test(bracket)) code += `[${bracket.toLowerCase()}]`;
    } else if (general !== undefined) shown += 'General';
    else if (noon !== undefined) code += 'p';
    else if (/[ymdhsbge0#?.,%/@]/i.test(plain ?? '')) {
      // The line break marks where the digits begin: text before them, such as a country code, belongs to the number.
      if (!hasDigits && /[0#?]/.test(plain ?? '')) {
        hasDigits = true;
        shown += '\n';
      }
      code += (plain ?? '').toLowerCase();
    } else shown += plain ?? '';
  }
  return { kind: momentKind(code) ?? digitsKind(code, shown) ?? NUMBER, holds };
}

/** The condition in brackets; undefined where the brackets hold something else. */
function conditionOf(bracket: string): ((value: number) => boolean) | undefined {
  const [, sign, text] = /^(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$/.exec(bracket.trim()) ?? [];
  const limit = Number(text);
  if (sign === undefined) return undefined;
  return (value) =>
    (sign.includes('<') && value < limit) ||
    (sign.includes('=') && value === limit) ||
    (sign.includes('>') && value > limit);
}

/** A format with digit placeholders, except for fractions of a second, is not a date: `0.00 USD` has a `d`, too. */
function momentKind(code: string): NumberKind | undefined {
  const letters = code.replace(/(s\]?)[.,]0+/g, '$1');
  if (/[0#?@%]/.test(letters)) return undefined;
  const runs = letters.match(/\[?(?:y+|m+|d+|h+|s+|b+|g+|e+)\]?/g) ?? [];
  const isMonth = (at: number) =>
    !/^\[?h/.test(runs[at - 1] ?? '') && !/^\[?s/.test(runs[at + 1] ?? '');
  const hasDay = runs.some((run, at) => /^[ydbge]/.test(run) || (run[0] === 'm' && isMonth(at)));
  if (!hasDay && !runs.some((run) => /^\[?[hms]/.test(run))) return undefined;
  return { kind: 'moment', hasDay, isElapsed: !hasDay && letters.includes('[') };
}

/** The kind `digits`, only where the format shows nothing but placeholders, digits and separators of phone numbers. */
function digitsKind(code: string, shown: string): NumberKind | undefined {
  if (!/^[0#?]+$/.test(code) || !/^[\d\s()+./-]*$/.test(shown)) return undefined;
  const prefix = (shown.split('\n')[0] ?? '').replace(/[^\d+]/g, '');
  return { kind: 'digits', prefix, atLeast: code.replaceAll(/[^0]/g, '').length };
}
