import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isAbsolute, join, relative, resolve } from 'node:path';

import { invalidFlag, readField } from '../../config/campaign-file.ts';
import * as field from '../../config/fields.ts';
import { isKey } from '../../config/key-owner.ts';
import { withoutPassword } from '../../config/keys.ts';
import { addressIn, findProfile, profileNames } from '../../config/profiles.ts';
import { findService, type ServiceEntry } from '../../config/services-file.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { AppError, attempt, EXIT, messageOf, usageError } from '../../runtime/errors.ts';
import { beginFile } from '../../runtime/files.ts';
import { idsIn, loadProfile } from '../../service/profile/profile.ts';
import { realPath } from '../../store/sqlite/file/files.ts';
import { asSentence, counted } from '../../text/wording.ts';
import type { NewService, ProfileChoices } from '../../views/services.ts';
import { homeOf } from '../places/home.ts';
import type { World } from '../world.ts';
import { testKey } from './check-service.ts';
import { knownServices, type ServiceRequest } from './service.ts';

type Files = Pick<ServiceRequest, 'services' | 'db'>;

/** The profiles that can be chosen by name, and what each needs to be known of a service. */
export function profileChoices(world: World): ProfileChoices {
  const { folder: home } = homeOf(world);
  const items = profileNames(home).flatMap((name) => {
    const found = findProfile(name, { cwd: world.cwd, home });
    const { value: profile } = attempt(() => loadProfile(found.text, found.path));
    if (profile === null) return [];
    const needsFrom = profile.dial.body.needs.has('from');
    return [{ name, url: addressIn(found) ?? null, ids: [...idsIn(profile).keys()], needsFrom }];
  });
  return { items };
}

/** Each change is made in the file that the one before has written. */
let before: Promise<unknown> = Promise.resolve();
function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const made = before.then(change);
  before = made.catch(() => undefined);
  return made;
}

/**
 * Adds a service to the services file, and its key to a file beside that. Neither replaces anything. The service is asked
 * first: where it refuses the key, nothing is written.
 */
export function addService(given: NewService, files: Files, world: World): Promise<string> {
  return inTurn(async () => {
    const name = readField('name', field.serviceName, given.name);
    const known = knownServices(files, world);
    const keyFile = join(known.folder, `${name}.key`);
    // `notify` is the group of receivers in that file.
    if (known.entries.has(name) || name === 'notify' || existsSync(keyFile)) throw taken(name);
    const entry = entryOf(given, world);
    const answer = await askWith(name, entry, given.key, files, world);
    const path = resolve(world.cwd, known.path);
    // The file may have been edited while the service was asked.
    const { entries } = knownServices(files, world);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
    const added = servicesText(text, { ...entry, name, keyFile }, path);
    await explained(() =>
      writeAll(
        [
          [keyFile, `${given.key}\n`],
          [path, added],
        ],
        () => {
          const wanted = new Map([...entries, [name, { ...entry, keyFile }]]);
          if (!isDeepStrictEqual(knownServices(files, world).entries, wanted)) throw taken(name);
        },
      ),
    );
    return `Service ${name} is added. ${answer}`;
  });
}

/** Puts another key into the file that the services file names for this service alone. */
export function changeKey(name: string, key: string, files: Files, world: World): Promise<string> {
  return inTurn(async () => {
    const known = knownServices(files, world);
    const { keyFile, ...entry } = findService(known, name);
    const others = [...known.entries].filter(
      ([other, { keyFile: its }]) =>
        other !== name && its !== undefined && realPath(its) === realPath(keyFile ?? ''),
    );
    if (keyFile === undefined || others.length > 0) {
      const why =
        keyFile === undefined
          ? 'is not in a file of its own'
          : `is that of ${others.map(([other]) => other).join(', ')}, too`;
      throw usageError(
        'SETTING_NOT_HERE',
        `The key of service ${name} ${why}.`,
        'change it on the machine of the console, or add the service by another name',
      );
    }
    const answer = await askWith(name, entry, key, files, world);
    await explained(async () => {
      // Before, as the new one is never to be read by others.
      if (existsSync(keyFile)) await chmod(keyFile, 0o600);
      await writeAll([[keyFile, `${key}\n`]], () => undefined);
    });
    return `Service ${name} has another key. ${answer}`;
  });
}

async function explained(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { is, check } = fileTroubleOf(error, 'written');
    const message = `The service cannot be kept: its place here ${is}.`;
    throw usageError('SERVICE_NOT_KEPT', message, check, error);
  }
}

function taken(name: string): AppError {
  return usageError(
    'SERVICE_EXISTS',
    `There is a service "${name}" already, or a key of that name; it is not replaced.`,
    'give it another name',
  );
}

/** What the services file is to say. Its address is always named: the key goes there, whatever the profile says later. */
function entryOf({ url: typed, profile, from, ids }: NewService, world: World): ServiceEntry {
  const { folder: home } = homeOf(world);
  const names = profileNames(home);
  if (!names.includes(profile))
    throw invalidFlag(`profile "${profile}" is not one of ${names.join(', ')}.`);
  const found = findProfile(profile, { cwd: world.cwd, home });
  const url =
    typed === undefined
      ? addressIn(found)
      : readField('url', field.serviceUrl, typed, withoutPassword(typed));
  if (url === undefined) throw invalidFlag(`url "" is not an address; ${profile} gives none.`);
  const needed = [...idsIn(loadProfile(found.text, found.path)).keys()];
  const named = Object.entries(ids ?? {})
    .filter(([id]) => needed.includes(id))
    .map(([id, value]) => [id, readField(`ids.${id}`, field.text('an id'), value)] as const);
  return {
    ...{ url, profile },
    ...(from !== undefined && { from: readField('from', field.text('a number'), from) }),
    ...(named.length > 0 && { ids: Object.fromEntries(named) }),
  };
}

/** Asks the service with a key; one that does not answer may do so later. @returns a sentence */
async function askWith(name: string, entry: ServiceEntry, key: string, files: Files, world: World) {
  if (!isKey(key)) throw invalidFlag('key "..." has a space or a sign that no key has.');
  try {
    const { list } = await testKey({ ...entry, name, key }, world, files);
    return `It takes the key, and has ${counted(list.agents.length, 'agent')}.`;
  } catch (error) {
    const isOurs = !(error instanceof AppError) || error.exitCode === EXIT.usage;
    if (isOurs || error.exitCode === EXIT.key) throw error;
    return `It could not be asked: ${asSentence(messageOf(error))}`;
  }
}

type WrittenFile = readonly [path: string, text: string];

/**
 * Writes files in this order; if one cannot be written, or `check` throws, the former state is restored.
 *
 * @returns their paths
 */
export async function writeAll(
  files: readonly WrittenFile[],
  check: () => Promise<void> | void,
): Promise<string[]> {
  const written: (readonly [path: string, before: string | null])[] = [];
  try {
    for (const [path, text] of files) {
      const former = existsSync(path) ? readFileSync(path, 'utf8') : null;
      await writeWhole(path, text);
      written.push([path, former]);
    }
    await check();
    return written.map(([path]) => path);
  } catch (error) {
    for (const [path, former] of written.reverse()) {
      if (former !== null) await writeWhole(path, former);
      else await rm(realPath(path), { force: true });
    }
    throw error;
  }
}

/** Keeps the mode of an existing file; a new one is readable by its owner only. */
async function writeWhole(named: string, text: string): Promise<void> {
  // A link stays one.
  const path = realPath(named);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const file = await beginFile(path);
  try {
    await file.write(text);
    if (mode !== undefined) await chmod(file.temporaryPath, mode);
    await file.commit(path);
  } finally {
    await file.discard();
  }
}

/**
 * Appends a service to the text of a services file, so that every comment stays in its place.
 *
 * @param path of that file, absolute; relative paths in it start from its folder
 */
export function servicesText(
  text: string | null,
  { name, url, profile, keyFile, from, ids }: ServiceEntry & { name: string; keyFile: string },
  path: string,
): string {
  const head =
    text ?? '# Voice-agent services by name. Keys never stand here, only where each one is.\n';
  const newline = head === '' || head.endsWith('\n') ? '' : '\n';
  const near = (file: string) => (isAbsolute(file) ? pathFrom(join(path, '..'), file) : file);
  const lines = [
    ...[`${name}:`, `  url: ${scalar(url ?? '')}`, `  profile: ${scalar(near(profile ?? ''))}`],
    `  keyFile: ${scalar(near(keyFile))}`,
    ...(from === undefined ? [] : [`  from: ${scalar(from)}`]),
    ...(ids === undefined ? [] : ['  ids:']),
    ...Object.entries(ids ?? {}).map(([id, value]) => `    ${id}: ${scalar(value)}`),
  ];
  return `${head}${newline}\n${lines.join('\n')}\n`;
}

/** A relative path as long as it is near, so that the folder can be moved as a whole; else the absolute one. */
export function pathFrom(folder: string, path: string): string {
  const way = relative(folder, path);
  return way.startsWith(join('..', '..')) || isAbsolute(way) ? path : way;
}

/** The text as one YAML scalar, quoted if its characters need that. */
export function scalar(text: string): string {
  return /^[A-Za-z_./][\w./:@+-]*$/.test(text) && !text.endsWith(':') ? text : JSON.stringify(text);
}
