import { serviceUrl } from '../../config/fields.ts';
import type { Options } from './command.ts';
import { wholeNumber } from './options.ts';
import { invalidFlag } from '../../config/hints.ts';

/** For every command that receives webhooks. */
export const listenerOptions = {
  port: { type: 'text', describe: 'port that webhooks come to', default: '4280' },
  host: { type: 'text', describe: 'address that webhooks come to', default: '127.0.0.1' },
  'public-url': {
    type: 'text',
    describe: 'the address under which services reach it, e.g. https://calls.example.com',
  },
} as const satisfies Options;

export interface ListenerFlags {
  port: string;
  host: string;
  publicUrl: string | undefined;
}

/**
 * Read before anything is opened, so that a mistake in them leaves nothing behind.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readListener(flags: ListenerFlags): {
  host: string;
  port: number;
  publicUrl: string | undefined;
} {
  const port = wholeNumber('--port', flags.port, { min: 0, max: 65_535 });
  return { host: flags.host, port, publicUrl: readPublicUrl(flags.publicUrl) };
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = serviceUrl.safeParse(text);
  if (url.success) return url.data;
  throw invalidFlag(`--public-url "${text}" ${url.error.issues[0]?.message ?? 'is no address'}.`);
}
