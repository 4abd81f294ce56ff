/** Replaces invalid UTF-8 in a text; a code point that no text uses. */
export const DAMAGE = '\uffff';

/** How much of a file is valid UTF-8. */
export interface Utf8Count {
  /** Valid characters of several bytes, weighted: two bytes count 1, three 4, four 9, as longer ones are less likely by chance. */
  valid: number;
  /** Pieces that are not. */
  invalid: number;
}

/**
 * Whether a file is UTF-8 with a few invalid bytes, and not in another encoding. It needs at least one valid character of
 * several bytes; in another encoding the invalid ones outnumber those that are valid by chance.
 *
 * @param isOther says that it may well be in another encoding; asked only where the two are nearly as many
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
 * Decodes UTF-8 chunk by chunk (the last call is without bytes), with `DAMAGE` for each invalid sequence, where the
 * decoder of the WHATWG gives U+FFFD.
 *
 * @param onDamage is told where each of them is, in bytes from the beginning
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
      // The file may contain this code point itself: unreadable, too.
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

/** One character, or the longest beginning of one that is cut short; `isCut`: the bytes end within it. */
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

/** No longer forms than needed, no halves of surrogate pairs, nothing above U+10FFFF (RFC 3629, section 4). */
function isNext(lead: number, place: number, byte: number): boolean {
  if (byte < 0x80 || byte > 0xbf) return false;
  if (place > 1) return true;
  if (lead === 0xe0) return byte >= 0xa0;
  if (lead === 0xed) return byte < 0xa0;
  if (lead === 0xf0) return byte >= 0x90;
  return lead !== 0xf4 || byte < 0x90;
}
