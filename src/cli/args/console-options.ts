import { invalidFlag } from '../../config/hints.ts';
import { resolve } from 'node:path';
import type { Options, OptionValues } from './command.ts';
import { wholeNumber } from './options.ts';

/** Under which names and by which certificate the console is reached. */
export const consoleListenerOptions = {
  'allow-host': {
    type: 'texts',
    describe: 'a further name under which it may be asked, e.g. calls.example.com',
  },
  'behind-proxy': {
    type: 'switch',
    describe: 'a proxy before the console speaks https outside',
  },
  'tls-cert': { type: 'text', describe: 'certificate of the console, a PEM file' },
  'tls-key': { type: 'text', describe: 'its key, a PEM file' },
  'max-upload': { type: 'text', describe: 'the largest list that may be sent', default: '2GB' },
} as const satisfies Options;

type Given = OptionValues<typeof consoleListenerOptions>;

/**
 * Where the console listens.
 *
 * @param port as typed
 * @throws AppError `FLAG_INVALID` (exit 2)
 */
export function readConsoleAt(host: string, port: string, given: Given, cwd: string) {
  const { allowHost, behindProxy, tlsCert, tlsKey } = given;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw invalidFlag('--tls-cert and --tls-key go together: give both, or neither.');
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? null
      : { cert: resolve(cwd, tlsCert), key: resolve(cwd, tlsKey) };
  return {
    host,
    port: wholeNumber('--port', port, { min: 0, max: 65_535 }),
    names: allowHost,
    behindProxy,
    tls,
  };
}

const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

/** `500MB` or `2GB`, in bytes. @throws AppError `FLAG_INVALID` (exit 2) */
export function readUploadSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(KB|MB|GB)$/i.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit.toUpperCase()] ?? 0);
  if (bytes >= 1_000) return Math.floor(bytes);
  throw invalidFlag(`--max-upload "${text}" is not a size such as 500MB or 2GB.`);
}
