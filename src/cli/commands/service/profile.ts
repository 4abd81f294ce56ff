import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProfile } from '../../../config/profiles.ts';
import { fileTroubleOf } from '../../../domain/file-trouble.ts';
import { AppError, EXIT } from '../../../runtime/errors.ts';
import { loadProfile } from '../../../service/profile/profile.ts';
import type { Profile } from '../../../service/profile/profile.ts';
import { pinProfile } from '../../../service/profile/profile-pin.ts';
import { createSampleReader } from '../../../service/profile/profile-samples.ts';
import type { Sample, SampleReading } from '../../../service/profile/profile-samples.ts';
import type { Path } from '../../../service/profile/read-fields.ts';
import { defineCommand } from '../../args/command.ts';
import { withCampaign } from '../../../app/places/databases.ts';
import { homeOf } from '../../../app/places/home.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, printLines, printTable, say } from '../../terminal/output.ts';
import { requireNoDatabaseFile } from '../../../app/places/output-file.ts';
import { counted } from '../../../text/plural.ts';
import { factsOf } from '../../print/profile-facts.ts';

const profileArgument = {
  profile: {
    describe: 'a profile by its path, or by its name in campaigns/profiles',
    required: true,
  },
} as const;

/** `profile check`: is the file a profile, and what does it say. */
export const check = defineCommand({
  arguments: profileArgument,
  options: { ...jsonOption },
  examples: [
    ['profile check campaigns/profiles/mine.yaml', 'every key in order, or the line that is not'],
  ],
  run: (args, io) => {
    const { path, profile } = load(args.profile, io);
    const facts = factsOf(profile);
    if (args.json) printJson(io, { path, ok: true, ...Object.fromEntries(facts) });
    else printTable(io, ['WHAT', 'AS THE PROFILE SAYS'], facts);
    say(
      io,
      `${path} is a profile in order; try it on saved answers: \`callsheet profile try ${args.profile} --samples DIR\`.`,
    );
    return Promise.resolve(EXIT.ok);
  },
});

/** `profile try`: what a profile finds in saved answers. */
export const tryOut = defineCommand({
  arguments: profileArgument,
  options: {
    samples: {
      type: 'text',
      describe: 'a folder with saved answers of the service',
      required: true,
    },
    ...jsonOption,
  },
  examples: [
    [
      'profile try mine.yaml --samples answers/',
      'what is found in each answer, by which name, and what is not',
    ],
  ],
  notes: `Answers are files named after what was asked: dial.json, analytics-ended.json, analytics-done.json, agents.json,
calls.json, webhook-finished.json; a status other than 200 goes into the name: dial-429.json, analytics-404.json.`,
  run: (args, io) => {
    const { profile } = load(args.profile, io);
    const readings = readAll(profile, args.samples, io);
    if (args.json) printJson(io, readings.map(withoutPaths));
    else for (const reading of readings) printReading(reading, io);
    const bad = readings.filter(({ ok }) => !ok);
    if (bad.length === 0) {
      say(io, `${counted(readings.length, 'answer')} understood.`);
      return Promise.resolve(EXIT.ok);
    }
    say(
      io,
      `${bad.length} of ${counted(readings.length, 'answer')} not understood: ${bad.map(({ name }) => name).join(', ')}.`,
    );
    return Promise.resolve(EXIT.failed);
  },
});

/** `profile pin`: a copy that guesses no longer. */
export const pin = defineCommand({
  arguments: profileArgument,
  options: {
    samples: { type: 'text', describe: 'a folder with saved answers, as for `profile try`' },
    campaign: { type: 'text', describe: 'take the analytics of its settled calls' },
    output: { type: 'text', alias: 'o', describe: 'the new profile; - for stdout', required: true },
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    [
      'profile pin voice-agent --campaign spring -o campaigns/profiles/main.yaml',
      'keep only the names that real answers had',
    ],
  ],
  notes: `With a pinned profile an answer of another shape is an error, not a guess. It counts as another profile: the next
run dials one call at a time until the first is answered as expected.`,
  run: async (args, io) => {
    const { path, profile } = load(args.profile, io);
    if (args.samples === undefined && args.campaign === undefined) {
      throw new AppError('SAMPLES_MISSING', 'There is nothing to pin the profile by.', {
        exitCode: EXIT.usage,
        hint: 'give --campaign NAME, --samples DIR, or both',
      });
    }
    const readings = args.samples === undefined ? [] : readAll(profile, args.samples, io);
    const found = new Set(readings.flatMap((reading) => reading.found.map((each) => each.path)));
    let answers = readings.length;
    if (args.campaign !== undefined)
      answers += await readCampaign(args.campaign, profile, found, args, io);
    const note = ` ${path}, pinned to what ${counted(answers, 'answer')} had.`;
    const { text, kept, empty } = pinProfile(profile, found, note);
    loadProfile(text, args.output);
    if (args.output === '-') io.data.write(text);
    else {
      const path = resolve(io.cwd, args.output);
      requireNoDatabaseFile(path, io);
      writeNew(path, text);
    }
    if (args.json) printJson(io, { output: args.output, answers, kept, empty });
    if (args.output !== '-')
      say(io, `${args.output} is written, by what ${counted(answers, 'answer')} had.`);
    for (const line of kept) say(io, line);
    if (empty.length > 0)
      say(io, `Found in no answer, and no longer looked for: ${empty.join(', ')}.`);
    return EXIT.ok;
  },
});

function load(name: string, io: CommandIo): { path: string; profile: Profile } {
  const { path, text } = findProfile(name, { cwd: io.cwd, home: homeOf(io).folder });
  return { path, profile: loadProfile(text, path) };
}

function readAll(profile: Profile, folder: string, io: CommandIo): SampleReading[] {
  const read = createSampleReader(profile, io.clock.now());
  const readings = samplesIn(resolve(io.cwd, folder))
    .map(read)
    .filter((each) => each !== null);
  if (readings.length > 0) return readings;
  throw new AppError('SAMPLES_MISSING', `The folder ${folder} has no saved answers.`, {
    exitCode: EXIT.usage,
    hint: 'save them there as dial.json, analytics-done.json, agents.json, calls.json or webhook-finished.json',
  });
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
    throw new AppError('SAMPLES_MISSING', message, { exitCode: EXIT.usage, hint, cause });
  }
}

function printReading(reading: SampleReading, io: CommandIo): void {
  const { name, ok, says, found, missed, unused } = reading;
  printLines(io, [`${name}: ${ok ? '' : 'NOT UNDERSTOOD, '}${shortened(says, 300)}`]);
  const rows = [
    ...found.map(({ field, text, value }) => ['  found', field, text, value]),
    ...missed.map(({ field, lookedFor }) => ['  missed', field, shortened(lookedFor), '-']),
    ...unused.map(({ at, value }) => ['  unused', '-', at, value]),
  ];
  if (rows.length > 0) printTable(io, ['', 'FIELD', 'NAME', 'VALUE'], rows);
  printLines(io, ['']);
}

function shortened(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

function withoutPaths(reading: SampleReading) {
  const found = reading.found.map(({ field, text, value }) => ({ field, name: text, value }));
  return { ...reading, found };
}

/** @returns how many answers there were */
async function readCampaign(
  name: string,
  profile: Profile,
  found: Set<Path>,
  flags: { db?: string | undefined },
  io: CommandIo,
): Promise<number> {
  const read = createSampleReader(profile, io.clock.now());
  return withCampaign(name, flags, io, 'read', async (store, campaign) => {
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

/** Never over a file that is there. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const { is, check } = fileTroubleOf(cause, 'written');
    const what = isThere ? 'is there already, and stays as it is' : is;
    throw new AppError('PROFILE_NOT_WRITTEN', `${path} ${what}.`, {
      exitCode: EXIT.usage,
      hint: isThere ? 'give another file with -o' : `${check} Another file is given with -o.`,
      cause,
    });
  }
}
