import { expect, test } from 'vitest';
import { decoderFor } from '../../../src/leads/read/file-kinds.ts';

const TEXT = '\ufeffName;Größe;日本;\u{1f600};plain\n';

/** Decodes bytes cut into pieces of `size`. */
function batchesOf(encoding: string, bytes: Buffer, size: number): string {
  const decode = decoderFor(encoding);
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += decode(bytes.subarray(at, at + size));
  return text + decode(undefined);
}

test.each([1, 2, 3, 4, 5, 7, 100])(
  'UTF-8 cut every %i bytes is the same text, without its mark',
  (size) => {
    expect(batchesOf('utf-8', Buffer.from(TEXT), size)).toBe(TEXT.slice(1));
  },
);

test('a mark that is not at the beginning stays', () => {
  expect(batchesOf('utf-8', Buffer.from(`a${TEXT}`), 4)).toBe(`a${TEXT}`);
});

test.each([
  ['a lone byte of a longer character', [0x61, 0xc3, 0x61]],
  ['a character that ends with the file', [0x61, 0xe6, 0x97]],
  ['half of a pair of surrogates', [0xed, 0xa0, 0x80]],
  ['a longer form than needed', [0xc0, 0xaf]],
])('%s is no UTF-8, as for TextDecoder', (_what, bytes) => {
  expect(() => batchesOf('utf-8', Buffer.from(bytes), 2)).toThrow(TypeError);
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes))).toThrow();
});

test('other encodings are decoded too', () => {
  expect(batchesOf('windows-1252', Buffer.from([0x80, 0xe4]), 1)).toBe('€ä');
});
