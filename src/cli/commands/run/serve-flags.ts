import type { GivenFlag } from '../../../app/units/print-unit.ts';
import { serviceUrl } from '../../../config/fields.ts';
import { listenerOptions } from '../../args/listener-options.ts';
import { readField } from '../../args/options.ts';

/** Flags of `serve` that a unit repeats, and those among them that name a file. */
const REPEATED = [
  'service',
  'service-url',
  'profile',
  'key-file',
  'services',
  'db',
  'port',
  'host',
  'public-url',
  'metrics',
  'console',
  'console-port',
  'console-host',
  'console-allow-host',
  'console-behind-proxy',
  'console-tls-cert',
  'console-tls-key',
  'console-max-upload',
  'log-level',
  'quiet',
  'log-file',
  'log-time',
  'no-log-time',
] as const;
const PATHS: readonly string[] = [
  'key-file',
  'services',
  'db',
  'log-file',
  'console-tls-cert',
  'console-tls-key',
];
/** What is said already by leaving the flag out. */
const DEFAULTS: Readonly<Record<string, string>> = {
  port: listenerOptions.port.default,
  host: listenerOptions.host.default,
  'log-level': 'warn',
};

/**
 * The flags of this command line as a unit repeats them.
 *
 * @param args by their camel-case names
 * @throws AppError `FLAG_INVALID` (exit 2) for an address that holds a password: everybody can read a unit
 */
export function givenFlags(args: Readonly<Record<string, unknown>>): GivenFlag[] {
  const url = args['serviceUrl'];
  if (typeof url === 'string') readField('--service-url', serviceUrl, url, 'given');
  return REPEATED.flatMap((name): GivenFlag[] => {
    const given = args[name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    const flag = `--${name}`;
    if (given === true) return [{ flag, value: null, isPath: false }];
    const values = (Array.isArray(given) ? given : [given]) as unknown[];
    return values.flatMap((value): GivenFlag[] => {
      if (typeof value !== 'string' || value === DEFAULTS[name]) return [];
      return [
        { flag, value, isPath: PATHS.includes(name) || (name === 'profile' && isPath(value)) },
      ];
    });
  });
}

/** A profile is a name or a path. */
function isPath(value: string): boolean {
  return value.includes('/') || /\.ya?ml$/.test(value);
}
