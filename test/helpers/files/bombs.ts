import { constants, createDeflateRaw, gzipSync } from 'node:zlib';
import type { Packed } from './zip-file.ts';

/**
 * `text`, and then `filling` again and again until it unpacks to `size` bytes: packed to a thousandth of that, and made
 * without ever being there unpacked.
 */
export async function packedBomb(text: string, filling: string, size: number): Promise<Packed> {
  const block = Buffer.from(filling.repeat(Math.ceil(1_000_000 / filling.length)));
  const times = Math.ceil(size / block.length);
  const first = await deflated(Buffer.from(text));
  // After a full flush a piece depends on nothing before it, so that it can be repeated.
  const one = await deflated(block);
  const packed = Buffer.concat([
    first,
    ...Array.from({ length: times }, () => one),
    Buffer.from([3, 0]),
  ]);
  return { packed, size: text.length + times * block.length };
}

/** The same as a `.gz` file: its members follow each other, and unpack to one file. */
export function gzipBomb(text: string, filling: string, size: number): Buffer {
  const block = Buffer.from(filling.repeat(Math.ceil(1_000_000 / filling.length)));
  const one = gzipSync(block);
  const times = Math.ceil(size / block.length);
  return Buffer.concat([gzipSync(text), ...Array.from({ length: times }, () => one)]);
}

function deflated(data: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const stream = createDeflateRaw({ level: 9 });
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.write(data);
    stream.flush(constants.Z_FULL_FLUSH, () => {
      resolve(Buffer.concat(pieces));
      stream.destroy();
    });
  });
}
