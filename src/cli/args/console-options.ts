import { resolve } from 'node:path';

import { serviceUrl } from '../../config/fields.ts';
import { invalidFlag, readField } from '../../config/campaign-file.ts';
import { isLoopback } from '../../runtime/process.ts';
import type { Options, OptionValues } from './command.ts';
import { wholeNumber } from './options.ts';

/** For every command that receives webhooks. */
export const listenerOptions = {
  port: { describe: 'port that webhooks come to', default: '4280' },
  host: { describe: 'address that webhooks come to', default: '127.0.0.1' },
  'public-url': {
    describe: 'the address under which services reach it, e.g. https://calls.example.com',
  },
} as const satisfies Options;

/** Read before anything is opened, so that a mistake in these options leaves nothing behind. */
export function readListener({ port, host, publicUrl }: OptionValues<typeof listenerOptions>) {
  return {
    host,
    port: wholeNumber('--port', port, { min: 0, max: 65_535 }),
    publicUrl:
      publicUrl === undefined ? undefined : readField('--public-url', serviceUrl, publicUrl),
  };
}

/** Where nothing listens. @throws AppError `FLAG_INVALID` (exit 2) for options that would do nothing */
export function refuseListener({ port, host, publicUrl }: OptionValues<typeof listenerOptions>) {
  const isChanged = port !== listenerOptions.port.default || host !== listenerOptions.host.default;
  if (isChanged || publicUrl !== undefined)
    throw invalidFlag(
      '--port, --host and --public-url say where webhooks come to: give --webhooks, too.',
    );
  return null;
}

/**
 * `9464`, `localhost:9464` or `[::1]:9464`. Metrics name campaigns and have no password, so they leave this machine only
 * through something that the operator puts before them.
 */
export function readMetricsAt(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?([^:]*)$/.exec(text) ?? [];
  const port = wholeNumber('--metrics', digits, { min: 0, max: 65_535 });
  if (isLoopback(host)) return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
  throw invalidFlag(
    `--metrics "${text}" is not on this machine alone, and metrics have no password; allowed are a port, 127.0.0.1:PORT, localhost:PORT and [::1]:PORT.`,
  );
}

const PORT = '4281';
const HOST = '127.0.0.1';
const MAX_UPLOAD = '2GB';

const hosts = {
  type: 'texts',
  describe: 'a further name under which it may be asked, e.g. calls.example.com',
} as const;
const proxy = {
  type: 'switch',
  describe: 'a proxy before the console speaks https outside',
} as const;
const cert = { describe: 'certificate of the console, a PEM file' } as const;
const key = { describe: 'its key, a PEM file' } as const;

/** Where `console` listens, under which names and by which certificate. */
export const consoleListenerOptions = {
  port: { describe: 'port of the console', default: PORT },
  host: { describe: 'address of the console', default: HOST },
  'allow-host': hosts,
  'behind-proxy': proxy,
  'tls-cert': cert,
  'tls-key': key,
  'max-upload': {
    describe: 'the largest list that may be sent',
    default: MAX_UPLOAD,
  },
} as const satisfies Options;

/** The same for the console in `serve`, whose webhooks have a port and an address of their own. */
export const serveConsoleOptions = {
  console: { type: 'switch', describe: 'the console besides, on an address of its own' },
  'console-port': { describe: `port of the console; default ${PORT}` },
  'console-host': { describe: `address of the console; default ${HOST}` },
  'console-allow-host': hosts,
  'console-behind-proxy': proxy,
  'console-tls-cert': cert,
  'console-tls-key': key,
  'console-max-upload': {
    describe: `the largest list that may be sent; default ${MAX_UPLOAD}`,
  },
} as const satisfies Options;

/**
 * Where the console listens, and the largest upload, bytes.
 *
 * @param flags how its flags begin, for messages
 */
export function readConsoleListener(
  given: OptionValues<typeof consoleListenerOptions>,
  cwd: string,
  flags = '--',
) {
  const { host, allowHost, behindProxy, tlsCert, tlsKey } = given;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw invalidFlag(`${flags}tls-cert and ${flags}tls-key go together: give both, or neither.`);
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? null
      : { cert: resolve(cwd, tlsCert), key: resolve(cwd, tlsKey) };
  const port = wholeNumber(`${flags}port`, given.port, { min: 0, max: 65_535 });
  return {
    at: { host, port, names: allowHost, behindProxy, tls, flags },
    mostUploadBytes: readSize(`${flags}max-upload`, given.maxUpload),
  };
}

type ServeConsole = OptionValues<typeof serveConsoleOptions>;

/**
 * The same for the console in `serve`; null: none is wanted.
 *
 * @param port where webhooks come to
 */
export function readServeConsole(args: ServeConsole, port: number, cwd: string) {
  if (!args.console) {
    const names = Object.keys(serveConsoleOptions).filter((name) => name !== 'console');
    const given = names.find((name) => isGiven(args[camel(name)]));
    if (given !== undefined) throw invalidFlag(`--${given} goes with --console alone.`);
    return null;
  }
  const found = readConsoleListener(
    {
      port: args.consolePort ?? PORT,
      host: args.consoleHost ?? HOST,
      allowHost: args.consoleAllowHost,
      behindProxy: args.consoleBehindProxy,
      tlsCert: args.consoleTlsCert,
      tlsKey: args.consoleTlsKey,
      maxUpload: args.consoleMaxUpload ?? MAX_UPLOAD,
    },
    cwd,
    '--console-',
  );
  if (found.at.port === port && port !== 0) {
    throw invalidFlag(
      `--port and --console-port are both ${port}; webhooks and the console need one each.`,
    );
  }
  return found;
}

function camel(name: string): keyof ServeConsole {
  return name.replaceAll(/-(.)/g, (_, letter: string) =>
    letter.toUpperCase(),
  ) as keyof ServeConsole;
}

function isGiven(value: ServeConsole[keyof ServeConsole]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

/** `500MB` or `2GB`, in bytes. @throws AppError `FLAG_INVALID` (exit 2) */
function readSize(flag: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(KB|MB|GB)$/i.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit.toUpperCase()] ?? 0);
  if (bytes >= 1_000) return Math.floor(bytes);
  throw invalidFlag(`${flag} "${text}" is not a size such as 500MB or 2GB.`);
}
