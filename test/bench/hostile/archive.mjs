const DIGITS = 6;

/**
 * A zip archive of many empty files (PKWARE APPNOTE 6.3, with 64-bit counts): nothing but its directory.
 *
 * @param files how many
 * @param names what their names begin with; a number follows
 * @param first the name of the first file, not longer than those of the others; default: as the others
 */
export function archiveOf(files, names, first) {
  const local = Buffer.alloc(31);
  local.write('PK\x03\x04', 0, 'latin1');
  const one = Buffer.alloc(46 + names.length + DIGITS);
  one.write('PK\x01\x02', 0, 'latin1');
  one.writeUInt16LE(names.length + DIGITS, 28);
  one.write(names, 46, 'latin1');
  const directory = Buffer.alloc(one.length * files, one);
  for (let at = 0; at < files; at++)
    directory.write(String(at).padStart(DIGITS, '0'), (at + 1) * one.length - DIGITS, 'latin1');
  if (first !== undefined) {
    directory.writeUInt16LE(first.length, 28);
    directory.write(first.padEnd(names.length + DIGITS), 46, 'latin1');
    directory.writeUInt16LE(names.length + DIGITS - first.length, 30);
  }
  const end = Buffer.alloc(98);
  end.write('PK\x06\x06', 0, 'latin1');
  end.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(files), at);
  end.writeBigUInt64LE(BigInt(directory.length), 40);
  end.writeBigUInt64LE(BigInt(local.length), 48);
  end.write('PK\x06\x07', 56, 'latin1');
  end.writeBigUInt64LE(BigInt(local.length + directory.length), 64);
  end.writeUInt32LE(1, 72);
  end.write('PK\x05\x06', 76, 'latin1');
  for (const at of [84, 86]) end.writeUInt16LE(0xffff, at);
  for (const at of [88, 92]) end.writeUInt32LE(0xffffffff, at);
  return Buffer.concat([local, directory, end]);
}
