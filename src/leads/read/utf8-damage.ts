/** Stands for invalid UTF-8 in a decoded text; a code point that no text uses. */
export const DAMAGE = '\uffff';

/** How much of a file is valid UTF-8. */
export interface Utf8Count {
  /**
   * Valid multi-byte characters, weighted, as longer ones are less likely by chance: two bytes count 1, three 4,
   * four 9.
   */
  valid: number;
  /** Invalid byte sequences. */
  invalid: number;
}

/**
 * True when a file is UTF-8 with a few invalid bytes rather than in another encoding. Requires a valid multi-byte
 * character: in another encoding, invalid sequences outnumber those that happen to be valid.
 *
 * @param isOther returns true when another encoding is likely; called only where the two counts are close
 */
export function isDamagedUtf8({ valid, invalid }: Utf8Count, isOther: () => boolean): boolean {
  if (valid === 0 || invalid > valid) return false;
  return invalid * 4 <= valid || !isOther();
}

/** Counts chunk by chunk; the last call is without bytes. */
export function utf8Counter(): (bytes: Buffer | undefined) => Utf8Count {
  const count = { valid: 0, invalid: 0 };
  let rest = Buffer.alloc(0);
  return (bytes) => {
    const all = Buffer.concat([rest, bytes ?? Buffer.alloc(0)]);
    let at = 0;
    while (at < all.length) {
      const found = characterAt(all, at);
      if (found.isCut && bytes !== undefined) break;
      if (!found.isValid) count.invalid += 1;
      else count.valid += (found.size - 1) ** 2;
      at += found.size;
    }
    rest = Buffer.from(all.subarray(at));
    return count;
  };
}

/**
 * Decodes UTF-8 chunk by chunk (the last call is without bytes), with `DAMAGE` for each invalid sequence, where
 * `TextDecoder` would write U+FFFD.
 *
 * @param onDamage receives the position of each invalid sequence, in bytes from the beginning
 */
export function damagedUtf8Decoder(
  onDamage: (byte: number) => void,
): (bytes: Buffer | undefined) => string {
  let rest = Buffer.alloc(0);
  let offset = 0;
  return (bytes) => {
    const all = Buffer.concat([rest, bytes ?? Buffer.alloc(0)]);
    let text = '';
    let from = 0;
    let at = 0;
    const flush = () => {
      // If the file itself contains the code point `DAMAGE`, that character counts as unreadable, too.
      text += all.toString('utf8', from, at).replaceAll(DAMAGE, '\ufffd');
    };
    while (at < all.length) {
      const { size, isValid, isCut } = characterAt(all, at);
      if (isCut && bytes !== undefined) break;
      if (!isValid) {
        flush();
        text += DAMAGE;
        onDamage(offset + at);
        from = at + size;
      }
      at += size;
    }
    flush();
    rest = Buffer.from(all.subarray(at));
    const isFirst = offset === 0 && at > 0;
    offset += at;
    return isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
  };
}

/** The size of the character at `at`, or of its longest valid beginning; `isCut`: `bytes` end within the character. */
function characterAt(
  bytes: Buffer,
  at: number,
): { size: number; isValid: boolean; isCut: boolean } {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return ONE;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >> 4 === 0xe ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  for (let size = 1; size < length; size++) {
    const byte = bytes[at + size];
    if (byte === undefined) return { size, isValid: false, isCut: true };
    if (!isNext(lead, size, byte)) return { size, isValid: false, isCut: false };
  }
  return length === 0 ? BROKEN : { size: length, isValid: true, isCut: false };
}

const ONE = { size: 1, isValid: true, isCut: false };
const BROKEN = { size: 1, isValid: false, isCut: false };

/**
 * True when a byte may be at this place of a character. RFC 3629, section 4 rules out overlong forms, halves of
 * surrogate pairs and code points above U+10FFFF.
 */
function isNext(lead: number, place: number, byte: number): boolean {
  if (byte < 0x80 || byte > 0xbf) return false;
  if (place > 1) return true;
  if (lead === 0xe0) return byte >= 0xa0;
  if (lead === 0xed) return byte < 0xa0;
  if (lead === 0xf0) return byte >= 0x90;
  return lead !== 0xf4 || byte < 0x90;
}
