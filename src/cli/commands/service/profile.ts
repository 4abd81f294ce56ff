import { pinProfileTo, readProfile, tryProfile } from '../../../app/services/profiles.ts';
import { EXIT } from '../../../runtime/errors.ts';
import type { SampleReading } from '../../../service/profile/profile-samples.ts';
import { counted } from '../../../text/plural.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import type { CommandIo } from '../../io.ts';
import { factsOf } from '../../print/profile-facts.ts';
import { printLines, printTable } from '../../terminal/output.ts';

const profileArgument = {
  profile: {
    describe: 'a profile by its path, or by its name in campaigns/profiles',
    required: true,
  },
} as const;

/** `profile check`: checks that a file is a profile, and prints what the profile says. */
export const check = defineCommand({
  arguments: profileArgument,
  options: {},
  examples: [
    ['profile check campaigns/profiles/mine.yaml', 'every key in order, or the line that is not'],
  ],
  run: async (args, io) => {
    const { path, profile } = readProfile(args.profile, io);
    const facts = factsOf(profile);
    const next = `${path} is a profile in order; try it on saved answers: \`callsheet profile try ${args.profile} --samples DIR\`.`;
    return {
      json: { path, ok: true, ...Object.fromEntries(facts) },
      table: [['WHAT', 'AS THE PROFILE SAYS'], facts],
      told: [next],
    };
  },
});

/** `profile try`: prints what a profile finds in saved answers. */
export const tryOut = defineCommand({
  arguments: profileArgument,
  options: {
    samples: {
      type: 'text',
      describe: 'a folder with saved answers of the service',
      required: true,
    },
  },
  examples: [
    [
      'profile try mine.yaml --samples answers/',
      'what is found in each answer, by which name, and what is not',
    ],
  ],
  notes: `Answers are files named after what was asked: dial.json, analytics-ended.json, analytics-done.json, agents.json,
calls.json, webhook-finished.json; more-done.json is what is read after analytics-done.json; a status other than 200 goes into the name: dial-429.json, analytics-404.json.`,
  run: async (args, io) => {
    const readings = tryProfile(args, io);
    if (!args.json) for (const reading of readings) printReading(reading, io);
    const json = readings.map(withoutPaths);
    const bad = readings.filter(({ ok }) => !ok).map(({ name }) => name);
    const all = counted(readings.length, 'answer');
    return bad.length === 0
      ? { json, told: [`${all} understood.`] }
      : {
          json,
          told: [`${bad.length} of ${all} not understood: ${bad.join(', ')}.`],
          code: EXIT.failed,
        };
  },
});

/** `profile pin`: writes a copy that has only names found in real answers, instead of several possible ones. */
export const pin = defineCommand({
  arguments: profileArgument,
  options: {
    samples: { type: 'text', describe: 'a folder with saved answers, as for `profile try`' },
    campaign: { type: 'text', describe: 'take the analytics of its settled calls' },
    output: { type: 'text', alias: 'o', describe: 'the new profile; - for stdout', required: true },
    ...databaseOptions,
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
    const { answers, kept, empty } = await pinProfileTo(args, io);
    const { output } = args;
    const written = `${output} is written, by what ${counted(answers, 'answer')} had.`;
    const gone = `Found in no answer, and no longer looked for: ${empty.join(', ')}.`;
    const told = [
      ...(output === '-' ? [] : [written]),
      ...kept,
      ...(empty.length > 0 ? [gone] : []),
    ];
    return { json: { output, answers, kept, empty }, told };
  },
});

function printReading(reading: SampleReading, io: CommandIo): void {
  const { name, ok, says, found, missed, unused } = reading;
  printLines(io, [`${name}: ${ok ? '' : 'NOT UNDERSTOOD, '}${shortened(says, 500)}`]);
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
