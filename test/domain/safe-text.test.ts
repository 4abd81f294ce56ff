import { describe, expect, it } from 'vitest';
import { shownJson, shownLine, shownText } from '../../src/domain/safe-text.ts';

const ESCAPED = '\u{fffd}';

describe('foreign text', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2Jb', `a${ESCAPED}[2Jb`],
    ['an escape sequence of eight bits', 'a\u009b2Jb', `a${ESCAPED}2Jb`],
    ['the delete sign', 'a\u007fb', `a${ESCAPED}b`],
    ['a line that turns around', '\u202egro\u202c', `${ESCAPED}gro${ESCAPED}`],
    ['isolated directions', '\u2066a\u2069', `${ESCAPED}a${ESCAPED}`],
    ['marks of direction', 'a\u200e\u200fb\u061c', `a${ESCAPED}${ESCAPED}b${ESCAPED}`],
    ['spaces of no width', 'A\u200bnn\ufeff', `A${ESCAPED}nn${ESCAPED}`],
    ['a joiner between letters that need none', 'A\u200dn', `A${ESCAPED}n`],
    ['tags that nobody sees', 'a\u{e0041}b', `a${ESCAPED}b`],
  ])('is shown without %s', (_, text, shown) => {
    expect(shownText(text)).toBe(shown);
    expect(shownLine(text)).toBe(shown);
  });

  it('stays on its line, however it breaks lines', () => {
    expect(shownLine('a\nb\r\nc\rd\u0085e\u2028f\u2029g\vh\fi\tj')).toBe('a b c d e f g h i j');
    expect(shownText('a\nb\r\nc\td')).toBe('a\nb\nc\td');
    expect(shownText('a\rb\u0085c\u2028d')).toBe(`a${ESCAPED}b${ESCAPED}c${ESCAPED}d`);
  });

  it.each([
    ['a family', '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a person of some colour at work', '\u{1f9d1}\u{1f3fd}\u200d\u{1f4bb}'],
    ['a flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['a heart as a picture', '\u2764\ufe0f'],
    ['a Persian name', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627'],
    ['a Sinhala name', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
    ['a Japanese name with a variant', '\u845b\u{e0100}\u57ce'],
    ['an Arabic and a Hebrew name', '\u0645\u062d\u0645\u062f \u05d3\u05d5\u05d3'],
    ['accents', 'Zoë Müller-Łukasiewicz n\u0303'],
  ])('keeps %s as it is', (_, text) => {
    expect(shownText(text)).toBe(text);
    expect(shownLine(text)).toBe(text);
  });

  it('in JSON keeps its value, and has no sign that is not seen', () => {
    const value = {
      name: 'a\u009b\u007f\u2028\u202e\u200b\ufeff\u{e0041}\u0000\u{1f469}\u200d\u{1f467}',
    };
    const json = shownJson(JSON.stringify(value));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toBe(
      String.raw`{"name":"a\u009b\u007f\u2028\u202e\u200b\ufeff\udb40\udc41\u0000${'\u{1f469}\u200d\u{1f467}'}"}`,
    );
  });
});
