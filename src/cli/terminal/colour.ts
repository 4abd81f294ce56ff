import { styleText } from 'node:util';
import type { Io } from '../io.ts';

/**
 * Whether messages may have colours: on a terminal that names its type, unless NO_COLOR is set or TERM is `dumb`.
 * FORCE_COLOR overrides all of that, as in Node itself (`0` and `false`: no colours).
 */
export function wantsColour({ env, stderrIsTty }: Pick<Io, 'env' | 'stderrIsTty'>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || !stderrIsTty) return false;
  const { TERM: kind = '', COLORTERM: more = '', WT_SESSION: windows = '' } = env;
  return kind === 'dumb' ? false : kind !== '' || more !== '' || windows !== '';
}

type Style = Parameters<typeof styleText>[0];

/** Styles by the beginning of a message; only the part that matches is painted. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^callsheet: [^]*/, 'red'],
  [/^Warning:/, 'yellow'],
  [/^LIVE(?= )/, 'bold'],
  [/^REHEARSAL(?= )/, 'dim'],
  [/^Every lead is final\./, 'green'],
];

/** Adds colours. Called after wrapping and escaping, so that colours change no width. */
export function painted(text: string): string {
  for (const [pattern, style] of STYLES) {
    if (!pattern.test(text)) continue;
    return text.replace(pattern, (found) =>
      found.replaceAll(/[^\n]+/g, (line) => styleText(style, line, { validateStream: false })),
    );
  }
  return text;
}
