import { Readable, Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export interface Download {
  type: string;
  /** Under which name a browser keeps it; null: it is shown. */
  name: string | null;
}

/**
 * Answers with what `write` writes to the stream that it gets. What is refused before the first byte is thrown, so that
 * it becomes a problem with a status; what fails later cuts the answer off, so that nobody takes a part for the whole.
 * Whoever leaves ends the writing, too.
 *
 * @param keepStack told of what fails later
 */
export async function download(
  reply: FastifyReply,
  { type, name }: Download,
  write: (data: Writable) => Promise<unknown>,
  keepStack: (error: unknown) => void,
): Promise<Readable> {
  const { data, out, begun, hasBegun } = through();
  reply.raw.once('close', () => {
    out.destroy();
  });
  const written = write(data).then(
    () => {
      out.push(null);
    },
    (error: unknown) => {
      if (!hasBegun()) throw error;
      if (out.destroyed) return;
      keepStack(error);
      out.destroy(error instanceof Error ? error : new Error(String(error)));
    },
  );
  await Promise.race([begun, written]);
  void reply.header('content-type', type).header('cache-control', 'no-store');
  if (name !== null) void reply.header('content-disposition', attachment(name));
  return out;
}

/**
 * A stream to write to and one to read from. A chunk counts as written when the reader asks for more; whoever writes is
 * told when the reader leaves, which a PassThrough does not tell.
 */
function through() {
  let taken: ((error?: Error) => void) | undefined;
  let isBegun = false;
  let resolveBegun: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (resolveBegun = resolve));
  const begin = () => {
    isBegun = true;
    resolveBegun();
  };
  /** Tells that the last chunk was taken, or will not be. */
  const next = (error?: Error) => {
    const done = taken;
    taken = undefined;
    done?.(error);
  };
  const out = new Readable({
    highWaterMark: 1,
    read: () => {
      next();
    },
    destroy: (error, done) => {
      begin();
      next(new Error('the reader has left'));
      data.destroy();
      done(error);
    },
  });
  const data = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      taken = done;
      out.push(chunk);
      begin();
    },
  });
  // The one who writes is told by the callback of the write.
  data.on('error', () => undefined);
  return { data, out, begun, hasBegun: () => isBegun };
}

/** The name as it is, and in plain letters for programs that know no others. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '_').replace(/^\.+/, '_');
  const whole = encodeURIComponent(name.replaceAll(/[/\\\p{Cc}]+/gu, '_')).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
