import { resolve } from 'node:path';
import { usageError } from '../runtime/errors.ts';
import type { KeyUse } from './key-owner.ts';
import { readConfigFile } from './yaml-file.ts';

export type FoundKey = Pick<KeyUse, 'key' | 'keyAt' | 'isKeyGiven'>;

interface KeyPlaces {
  env: Record<string, string | undefined>;
  cwd: string;
  /** `--key-file`, if it was given: messages then name it. */
  keyFile?: string | undefined;
}

/**
 * The key of a service, from its file or else the environment.
 *
 * @param variable is read where there is no file
 * @param file relative to `cwd`
 * @throws AppError `SERVICE_KEY_MISSING` (exit 2), naming the place
 */
export function readKey(
  { env, cwd, keyFile }: KeyPlaces,
  service: string,
  variable: string,
  file: string | undefined,
): FoundKey {
  const place = file === undefined ? variable : resolve(cwd, file);
  const namedBy = keyFile === undefined ? 'keyFile in services.yaml' : '--key-file PATH';
  const key =
    file === undefined
      ? (env[variable] ?? '').trim()
      : readConfigFile(file, cwd, 'key file', {
          code: 'SERVICE_KEY_MISSING',
          hint: `write the key of service ${service} into that file (and chmod 600 it), or name another one: ${namedBy}`,
        }).trim();
  // A header value: RFC 9110 5.5 allows visible ASCII; a line break in it would be another header.
  if (/^[\x21-\x7e]+$/.test(key)) return { key, keyAt: place, isKeyGiven: keyFile !== undefined };
  const empty = file === undefined ? 'is empty or not set' : 'is empty';
  const what = key === '' ? empty : 'holds blanks or signs that no key has';
  throw usageError(
    'SERVICE_KEY_MISSING',
    `The key of service ${service}: ${place} ${what}.`,
    file === undefined ? `set ${variable}, or give --key-file PATH` : `write the key to ${place}`,
  );
}
