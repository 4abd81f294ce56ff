import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipOptions {
  /** Packed; or stored as it is; or packed with its sizes behind it; or with 64-bit sizes. Default packed. */
  how?: 'packed' | 'stored' | 'streamed' | 'zip64';
  /** What the archive says of checksums; default the truth. */
  sumOf?: (data: Buffer) => number;
}

/** A file that is packed already, since it would be too large unpacked. */
export interface Packed {
  packed: Buffer;
  /** Unpacked, bytes. */
  size: number;
}

/** A zip archive as programs write it (PKWARE APPNOTE 6.3). */
export function zipFile(
  files: Record<string, string | Buffer | Packed>,
  { how = 'packed', sumOf = crc32 }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [file, content] of Object.entries(files)) {
    const name = Buffer.from(file);
    const isPacked = typeof content === 'object' && 'packed' in content;
    const data = isPacked ? Buffer.alloc(0) : Buffer.from(content);
    const packed = isPacked ? content.packed : how === 'stored' ? data : deflateRawSync(data);
    const sizes = [sumOf(data), packed.length, isPacked ? content.size : data.length];
    const isLate = how === 'streamed';
    const flags = isLate ? 0x0808 : 0x0800;
    const method = how === 'stored' ? 0 : 8;
    const about = Buffer.concat([u16(45, flags, method, 0, 0x21)]);
    const extra =
      how === 'zip64' ? zip64Extra(data.length, packed.length, offset) : Buffer.alloc(0);
    const big = how === 'zip64' ? [sizes[0] ?? 0, 0xffffffff, 0xffffffff] : sizes;
    const local = Buffer.concat([
      Buffer.from('PK\u0003\u0004'),
      about,
      u32(...(isLate ? [0, 0, 0] : big)),
      u16(name.length, how === 'zip64' ? 20 : 0),
      name,
      how === 'zip64' ? extra.subarray(0, 20) : extra,
      packed,
      isLate ? Buffer.concat([Buffer.from('PK\u0007\u0008'), u32(...sizes)]) : Buffer.alloc(0),
    ]);
    if (how === 'zip64') local.writeUInt16LE(16, 30 + name.length + 2);
    directory.push(
      Buffer.from('PK\u0001\u0002'),
      u16(45),
      about,
      u32(...big),
      u16(name.length, extra.length, 0, 0, 0),
      u32(0, how === 'zip64' ? 0xffffffff : offset),
      name,
      extra,
    );
    parts.push(local);
    offset += local.length;
  }
  const count = Object.keys(files).length;
  const listing = Buffer.concat(directory);
  const end = [
    ...(how === 'zip64' ? zip64End(count, listing.length, offset) : []),
    Buffer.from('PK\u0005\u0006'),
    ...(how === 'zip64'
      ? [u16(0, 0, 0xffff, 0xffff), u32(0xffffffff, 0xffffffff)]
      : [u16(0, 0, count, count), u32(listing.length, offset)]),
    u16(0),
  ];
  return Buffer.concat([...parts, listing, ...end]);
}

function zip64Extra(size: number, packed: number, offset: number): Buffer {
  return Buffer.concat([u16(1, 24), u64(size, packed, offset)]);
}

function zip64End(count: number, length: number, offset: number): Buffer[] {
  const record = Buffer.concat([
    Buffer.from('PK\u0006\u0006'),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, length, offset),
  ]);
  const locator = [Buffer.from('PK\u0006\u0007'), u32(0), u64(offset + length), u32(1)];
  return [record, ...locator];
}

function u16(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from(Uint16Array.of(value).buffer)));
}

function u32(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)));
}

function u64(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)));
}
