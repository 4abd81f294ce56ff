import { styleText } from 'node:util';
import type { Io } from '../io.ts';

/**
 * Whether messages may have colours: on a terminal that says what it is, unless NO_COLOR is set or TERM is `dumb`;
 * FORCE_COLOR decides above all of that, as in Node itself (`0` and `false`: none).
 */
export function wantsColour({ env, stderrIsTty }: Pick<Io, 'env' | 'stderrIsTty'>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((env['NO_COLOR'] ?? '') !== '' || !stderrIsTty) return false;
  const { TERM: kind = '', COLORTERM: more = '', WT_SESSION: windows = '' } = env;
  return kind === 'dumb' ? false : kind !== '' || more !== '' || windows !== '';
}

type Style = Parameters<typeof styleText>[0];

/** By what a message begins with; only that word is painted, or all of it. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^callsheet: [^]*?(?=\n*$)/, 'red'],
  [/^Warning:/, 'yellow'],
  [/^LIVE(?= )/, 'bold'],
  [/^REHEARSAL(?= )/, 'dim'],
  [/^Every lead is final\./, 'green'],
];

/** A message with its colours, once it is broken into lines and everything in it is fit to be seen: no width changes. */
export function painted(text: string): string {
  for (const [pattern, style] of STYLES) {
    if (!pattern.test(text)) continue;
    return text.replace(pattern, (found) =>
      found.replaceAll(/[^\n]+/g, (line) => styleText(style, line, { validateStream: false })),
    );
  }
  return text;
}
