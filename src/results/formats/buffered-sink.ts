import type { Sink } from './format.ts';

/** In UTF-16 units of text, or bytes. */
const GATHERED = 262_144;

/**
 * Handing a small piece to the disk costs more than making it: pieces are gathered, and written while the next
 * ones are made. Two such chunks are in memory. An error of `sink` comes with a later piece, or at the end.
 */
export async function bufferedSink(
  sink: Sink,
  write: (sink: Sink) => Promise<number>,
): Promise<number> {
  let text = '';
  let bytes: Uint8Array[] = [];
  let size = 0;
  let writing = Promise.resolve();

  async function flush(): Promise<void> {
    if (size === 0) return;
    const chunk = text === '' ? Buffer.concat(bytes) : text;
    [text, bytes, size] = ['', [], 0];
    await writing;
    writing = sink(chunk);
    // It is told by the next chunk, or at the end.
    writing.catch(() => undefined);
  }

  try {
    const rows = await write(async (chunk) => {
      const isText = typeof chunk === 'string';
      if (isText ? bytes.length > 0 : text !== '') await flush();
      if (isText) text += chunk;
      else bytes.push(chunk);
      size += chunk.length;
      if (size >= GATHERED) await flush();
    });
    await flush();
    return rows;
  } finally {
    await writing;
  }
}
