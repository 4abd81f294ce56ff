import { serviceUrl } from '../../config/fields.ts';
import { invalidFlag } from '../../config/hints.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import type { Options, OptionValues } from './command.ts';
import { readField, wholeNumber } from './options.ts';

/** For every command that receives webhooks. */
export const listenerOptions = {
  port: { type: 'text', describe: 'port that webhooks come to', default: '4280' },
  host: { type: 'text', describe: 'address that webhooks come to', default: '127.0.0.1' },
  'public-url': {
    type: 'text',
    describe: 'the address under which services reach it, e.g. https://calls.example.com',
  },
} as const satisfies Options;

/**
 * Read before anything is opened, so that a mistake in these options leaves nothing behind.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readListener({ port, host, publicUrl }: OptionValues<typeof listenerOptions>) {
  return {
    host,
    port: wholeNumber('--port', port, { min: 0, max: 65_535 }),
    publicUrl:
      publicUrl === undefined ? undefined : readField('--public-url', serviceUrl, publicUrl),
  };
}

/**
 * `9464`, `localhost:9464` or `[::1]:9464`. Metrics name campaigns and have no password, so they leave this machine only
 * through something that the operator puts before them.
 *
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readMetricsAt(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?([^:]*)$/.exec(text) ?? [];
  const port = wholeNumber('--metrics', digits, { min: 0, max: 65_535 });
  if (isLoopback(host)) return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
  throw invalidFlag(
    `--metrics "${text}" is not on this machine alone, and metrics have no password; allowed are a port, 127.0.0.1:PORT, localhost:PORT and [::1]:PORT.`,
  );
}
