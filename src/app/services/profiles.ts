import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { findProfile } from '../../config/profiles.ts';
import { fileTroubleOf } from '../../domain/file-trouble.ts';
import { usageError } from '../../runtime/errors.ts';
import {
  createSampleReader,
  pinProfile,
  type Sample,
  type SampleReading,
} from '../../service/profile/profile-samples.ts';
import { loadProfile, type Profile } from '../../service/profile/profile.ts';
import type { Path } from '../../service/profile/read-fields.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { startSimulator } from '../../simulator/server.ts';
import { counted } from '../../text/wording.ts';
import { withCampaign } from '../places/databases.ts';
import { homeOf } from '../places/home.ts';
import { requireNoDatabaseFile } from '../places/output-file.ts';
import type { World } from '../world.ts';
import { madeUpSecret } from './service.ts';

/** Loads a profile by path, or by name from campaigns/profiles. @throws AppError those of `loadProfile` (exit 2) */
export function readProfile(name: string, world: World): { path: string; profile: Profile } {
  const { path, text } = findProfile(name, { cwd: world.cwd, home: homeOf(world).folder });
  return { path, profile: loadProfile(text, path) };
}

/** Reads saved answers by a profile. @throws AppError `SAMPLES_MISSING` (exit 2) */
export function tryProfile(
  request: { profile: string; samples: string },
  world: World,
): SampleReading[] {
  return readAll(readProfile(request.profile, world).profile, request.samples, world);
}

interface PinRequest {
  profile: string;
  db?: string | undefined;
  /** A folder with saved answers. */
  samples: string | undefined;
  /** A campaign; the analytics of its settled calls serve as answers, too. */
  campaign: string | undefined;
  /** The new profile; `-`: the standard output. */
  output: string;
}

/** Writes a copy of a profile that keeps only the names that real answers had. */
export async function pinProfileTo(
  { profile: name, samples, campaign, output, db }: PinRequest,
  world: World,
): Promise<{ answers: number; kept: string[]; empty: string[] }> {
  const { path, profile } = readProfile(name, world);
  if (samples === undefined && campaign === undefined) {
    throw usageError(
      'SAMPLES_MISSING',
      'There is nothing to pin the profile by.',
      'give --campaign NAME, --samples DIR, or both',
    );
  }
  const readings = samples === undefined ? [] : readAll(profile, samples, world);
  const found = new Set(readings.flatMap((reading) => reading.found.map((each) => each.path)));
  let answers = readings.length;
  if (campaign !== undefined)
    answers += await readCampaign(campaign, profile, found, { db }, world);
  const note = ` ${path}, pinned to what ${counted(answers, 'answer')} had.`;
  const { text, kept, empty } = pinProfile(profile, found, note);
  loadProfile(text, output);
  if (output === '-') world.data.write(text);
  else {
    const file = resolve(world.cwd, output);
    requireNoDatabaseFile(file, world);
    writeNew(file, text);
  }
  return { answers, kept, empty };
}

function readAll(profile: Profile, folder: string, world: World): SampleReading[] {
  const read = createSampleReader(profile, world.clock.now());
  const samples = samplesIn(resolve(world.cwd, folder));
  const readings = samples.map((each) => read(each, samples)).filter((each) => each !== null);
  if (readings.length > 0) return readings;
  throw usageError(
    'SAMPLES_MISSING',
    `The folder ${folder} has no saved answers.`,
    'save them there as dial.json, analytics-done.json, agents.json, calls.json or webhook-finished.json',
  );
}

function samplesIn(folder: string): Sample[] {
  try {
    const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
    return names
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  } catch (cause) {
    const { is } = fileTroubleOf(cause, 'read');
    const message = `The folder of saved answers, ${folder}, ${is}.`;
    const hint = 'save answers of the service there, e.g. as dial.json and analytics-1.json';
    throw usageError('SAMPLES_MISSING', message, hint, cause);
  }
}

/** @returns how many answers were read */
async function readCampaign(
  name: string,
  profile: Profile,
  found: Set<Path>,
  request: Pick<PinRequest, 'db'>,
  world: World,
): Promise<number> {
  const read = createSampleReader(profile, world.clock.now());
  const named = { ...request, campaign: name };
  return withCampaign(named, world, 'read', async ({ store, campaign }) => {
    let answers = 0;
    let page = await store.exportPage(campaign.id, null, 500);
    while (page.length > 0) {
      for (const { analytics } of page) {
        if (analytics === null) continue;
        answers += 1;
        const sample = { name: 'analytics.json', text: JSON.stringify(analytics.raw) };
        for (const each of read(sample)?.found ?? []) found.add(each.path);
      }
      page = await store.exportPage(campaign.id, page.at(-1)?.cursor ?? null, 500);
    }
    return answers;
  });
}

/** Writes a new file; never replaces one. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const { is, check } = fileTroubleOf(cause, 'written');
    const what = isThere ? 'is there already, and stays as it is' : is;
    throw usageError(
      'PROFILE_NOT_WRITTEN',
      `${path} ${what}.`,
      isThere ? 'give another file with -o' : `${check} Another file is given with -o.`,
      cause,
    );
  }
}

export interface SimulateRequest extends Omit<SimulatorOptions, 'clock' | 'webhooks'> {
  /** Keys that the service accepts; if empty, one is made up. */
  keys: readonly string[];
  /** Where webhooks about finished calls and captured leads go; without a secret one is made up. Null: nowhere. */
  webhooks: { url: string; secret: string | undefined } | null;
}

/** Runs the embedded voice service by itself, until it is closed. */
export async function simulateService(request: SimulateRequest, world: World) {
  const keys = request.keys.length > 0 ? request.keys : [world.newId('key')];
  const to = request.webhooks;
  const webhooks = to === null ? null : { ...to, secret: to.secret ?? madeUpSecret(world) };
  const state = request.state === null ? null : resolve(world.cwd, request.state);
  if (state !== null) requireNoDatabaseFile(state, world);
  const options = { ...request, keys, webhooks, state, clock: world.clock };
  const simulator = await startSimulator(options);
  return { url: simulator.url, keys, webhooks, close: () => simulator.close() };
}
