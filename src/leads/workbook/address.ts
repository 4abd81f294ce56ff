/** The column of `AB12`, counted from 1; undefined where it is no address. */
export function columnOf(address: string): number | undefined {
  let column = 0;
  for (let at = 0; at < address.length && at < 7; at++) {
    const code = address.charCodeAt(at) & ~0x20;
    if (code < 0x41 || code > 0x5a) break;
    column = column * 26 + code - 0x40;
  }
  return column === 0 ? undefined : column;
}

/** The row of `AB12`; undefined where it is no address. */
export function rowOf(address: string): number | undefined {
  const digits = /\d+$/.exec(address)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
