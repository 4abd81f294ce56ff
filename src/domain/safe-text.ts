/*
 * Names, transcripts, error texts and file names come from lists, services and callers. Printed unchanged, they could
 * control the terminal, reverse the direction of a line, or imitate a line of callsheet's own output.
 */

/** Foreign text as one line: line breaks and tabs become a space, invisible characters become `\u{fffd}`. */
export function shownLine(text: string): string {
  return shownText(text.replaceAll(LINE_BREAKS, ' '));
}

/** Text of several lines: line feeds and tabs stay, invisible characters become `\u{fffd}`. */
export function shownText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, '\u{fffd}');
}

/** JSON with the same value, in which invisible characters are escaped as `\uXXXX`. */
export function shownJson(json: string): string {
  return json.replaceAll(UNSEEN, (sign) =>
    Array.from({ length: sign.length }, (_, i) => {
      const code = sign.charCodeAt(i).toString(16).padStart(4, '0');
      return `\\u${code}`;
    }).join(''),
  );
}

const LINE_BREAKS = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/g;

/** Scripts that need the invisible characters U+200C and U+200D, which separate or join the letters around them. */
const JOINED_SCRIPTS =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Mongolian}';
const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';

/** Invisible characters that are kept. */
const KEPT = [
  '[\\n\\t]',
  // Joiners in an emoji of several parts, such as a family or a flag; below, selectors of emoji or text style.
  `(?<=${EMOJI}\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  // Variation selectors of a Han character, as in Japanese and Chinese names.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  // Joiners between letters, as in Persian and Indian names.
  `(?<=[${JOINED_SCRIPTS}])[\\u200c\\u200d](?=[${JOINED_SCRIPTS}])`,
];

/** C0, DEL, C1, line and paragraph separators, bidi controls, zero-width and other invisible characters. */
const UNSEEN = new RegExp(
  `(?!${KEPT.join('|')})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
  'gu',
);

/**
 * What an object itself holds under a name from outside; undefined otherwise. Plain access also finds what all objects
 * inherit, such as `constructor`.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
