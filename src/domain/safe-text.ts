/*
 * Names, transcripts, error texts and file names come from lists, services and callers. Shown as they are they could
 * steer a terminal, turn a line around, or look like a line of ours.
 */

/** Foreign text as one line: line breaks and tabs become a space, signs that are not seen become `\u{fffd}`. */
export function shownLine(text: string): string {
  return shownText(text.replaceAll(LINE_BREAKS, ' '));
}

/** Text of several lines: its line feeds and tabs stay, signs that are not seen become `\u{fffd}`. */
export function shownText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, '\u{fffd}');
}

/** JSON with the same value and nothing in it that is not seen: such signs become `\uXXXX`. */
export function shownJson(json: string): string {
  return json.replaceAll(UNSEEN, (sign) =>
    Array.from({ length: sign.length }, (_, i) => {
      const code = sign.charCodeAt(i).toString(16).padStart(4, '0');
      return `\\u${code}`;
    }).join(''),
  );
}

const LINE_BREAKS = /\r\n|[\n\r\t\v\f\u0085\u2028\u2029]/g;

/** What scripts write with, and no sign of its own: it joins or parts the letters around it. */
const JOINED_SCRIPTS =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Mongolian}';
const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';

/** What is left alone although nothing of it is seen. */
const KEPT = [
  '[\\n\\t]',
  // A family or a flag of several signs; a sign as a picture or as text.
  `(?<=${EMOJI}\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  // The variant of a sign that a Japanese or Chinese name is written with.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
  // A Persian or Indian name.
  `(?<=[${JOINED_SCRIPTS}])[\\u200c\\u200d](?=[${JOINED_SCRIPTS}])`,
];

/** C0, DEL, C1, line and paragraph separators, bidi controls, zero-width and other signs without a look. */
const UNSEEN = new RegExp(
  `(?!${KEPT.join('|')})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
  'gu',
);
