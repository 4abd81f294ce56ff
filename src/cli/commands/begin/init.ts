import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import type { z } from 'zod';

import { countryOfList } from '../../../app/lists/survey-sent.ts';
import { homeOf, homeSentence } from '../../../app/places/home.ts';
import {
  campaignPath,
  refuseExisting,
  SAMPLE,
  sampleOr,
  writeSetup,
  type Setup,
} from '../../../app/repair/init-files.ts';
import {
  refuseUnknownAgent,
  testKey,
  untestedOf,
  type ServiceAnswer,
} from '../../../app/services/check-service.ts';
import { campaignNameOf, invalidFlag, isPath } from '../../../config/campaign-file.ts';
import { isKey, readKey } from '../../../config/key-owner.ts';
import { profileNames } from '../../../config/profiles.ts';
import { SIMULATED } from '../../../config/services-file.ts';
import { AppError, EXIT, messageOf } from '../../../runtime/errors.ts';
import { isLoopback } from '../../../runtime/process.ts';
import { asSentence, shellWord } from '../../../text/wording.ts';
import { begun } from '../../../views/services.ts';
import { defineCommand } from '../../args/command.ts';
import type { CommandIo } from '../../io.ts';
import { printOutcome } from '../../print/outcome.ts';
import { askHidden, put } from '../../terminal/terminal.ts';
import { say } from '../../terminal/output.ts';
import {
  answerTo,
  initOptions,
  leftOff,
  readers,
  requireFlags,
  type InitFlags,
} from './init-answers.ts';

interface TestedKey {
  key: string;
  /** True if the key was typed and is still to be written; false if its file exists. */
  isNew: boolean;
  /** What the service answered to the key; undefined: the key could not be tested. */
  seen: ServiceAnswer | undefined;
}

/** The key of an existing file, else a typed one; the question is repeated if the service refuses the key. */
async function testedKey(
  path: string,
  service: { name: string; url: string; profile: string },
  io: CommandIo,
): Promise<TestedKey> {
  const first = await keyFrom(path, service.name, io);
  const { isNew } = first;
  let { key } = first;
  for (;;) {
    try {
      return { key, isNew, seen: await testKey({ ...service, key }, io) };
    } catch (error) {
      const isRefused = error instanceof AppError && error.exitCode === EXIT.key;
      if (!isRefused) {
        say(io, `The service could not be asked: ${asSentence(messageOf(error))}`);
        say(
          io,
          `So neither the key nor the agent is tested now; \`callsheet doctor --service ${service.name}\` tests the key later.`,
        );
        return { key, isNew, seen: undefined };
      }
      if (!isNew)
        throw new AppError(error.code, error.message, {
          hint: `put a key that the service accepts into ${path}; nothing was written`,
          exitCode: EXIT.key,
          cause: error,
        });
      say(io, asSentence(messageOf(error)));
      const other = await typeKey(
        io,
        'Another API key (it is not shown; empty keeps the refused one): ',
        true,
      );
      if (other === '') {
        say(io, 'The refused key is kept. Neither the key nor the agent is tested.');
        return { key, isNew, seen: undefined };
      }
      key = other;
    }
  }
}

async function keyFrom(path: string, service: string, io: CommandIo) {
  if (existsSync(path)) return { key: readKey(io, service, '', path).key, isNew: false };
  if (!existsSync(dirname(path)))
    throw invalidFlag(`--key-file: there is no folder ${dirname(path)}.`);
  if (!io.attended) {
    const make = `(umask 077 && cat > ${shellWord(path)})`;
    throw invalidFlag(`--key-file: there is no file ${path}; \`${make}\` makes it.`);
  }
  const question = `The API key, for ${path} (it is not shown): `;
  return { key: await typeKey(io, question, false), isNew: true };
}

/** @returns '' only where `mayBeEmpty` */
async function typeKey(io: CommandIo, question: string, mayBeEmpty: boolean): Promise<string> {
  for (;;) {
    const key = await askHidden(io, question);
    if (key === undefined) throw leftOff();
    if (isKey(key) || (key === '' && mayBeEmpty)) return key;
    say(
      io,
      key === ''
        ? 'Nothing was typed; paste the key.'
        : 'A key has letters, digits and symbols, and no spaces.',
    );
  }
}

export const init = defineCommand({
  options: initOptions,
  examples: [
    ['init', 'asks for all of it'],
    ['init --service simulated --list leads.csv', 'with the built-in service, which calls nobody'],
    [
      'init --service-url https://voice.example.com --key-file main.key --agent ag_123 --list leads.csv',
      'the same without questions; the key file is there already',
    ],
  ],
  notes: `Writes campaigns/services.yaml (adds to one that is there), campaigns/<name>.yaml and the key file. Nothing that is
there is replaced; where something is wrong nothing is written at all.`,
  json: begun,
  run: async (args, io) => {
    const home = homeOf(io);
    const where = homeSentence(home, io.cwd, 'data/ and campaigns/');
    if (where !== undefined) say(io, where);
    if (io.attended)
      say(io, 'Enter takes what stands in brackets; nothing is written before the last answer.');
    const setup = await askForSetup(args, home.folder, io);
    const path = campaignPath(setup);
    const file = relative(io.cwd, path);
    const files = await writeAsking(setup, args, io);
    const told = [
      ...files.map((each) => `Written: ${each}`),
      'Next, calling nobody:',
      `  callsheet check ${shellWord(file)}`,
      'Then call the list; run it again and it goes on, calling nobody twice:',
      `  callsheet run ${shellWord(file)}`,
      "Every weekday at 18:00, with the list's new rows; until 21:00 it waits for people who are due later (crontab -e; the machine's time):",
    ];
    const json: z.infer<typeof begun> = {
      home: home.folder,
      files,
      campaign: setup.campaign.name,
    };
    printOutcome({ json, told }, args.json, io);
    // Printed without line breaks, to be copied: an entry of a crontab is one line.
    put(io, 'err', `  ${nightlyLine(home.folder, relative(home.folder, path), io)}\n`);
    return {};
  },
});

/** Asks for another list while nobody on it can be called. */
async function writeAsking(setup: Setup, flags: InitFlags, io: CommandIo): Promise<string[]> {
  try {
    return await writeSetup(setup, io);
  } catch (error) {
    const isOfList = error instanceof AppError && error.code.startsWith('LIST_');
    if (!isOfList || !io.attended || flags.list !== undefined) throw error;
    say(io, messageOf(error));
    const campaign = {
      ...setup.campaign,
      ...(await askForList(flags, setup.service === null, io)),
    };
    return writeAsking({ ...setup, campaign }, flags, io);
  }
}

async function askForList(flags: InitFlags, isSimulated: boolean, io: CommandIo) {
  const to = answersOf(flags, io);
  let guess = '' as string | undefined;
  const read = async (text: string) => {
    const path = readers.list(io)(text);
    if (io.attended) guess = await guessOf(path, flags, io);
    return path;
  };
  const list = isSimulated
    ? await to('list', `The first list; ${SAMPLE} has fictional numbers`, SAMPLE, read)
    : await to('list', 'The first list', undefined, read);
  if (guess === undefined && flags.country === undefined) return { list, country: '' };
  const where = 'Country of numbers without +, its name or e.g. US';
  return { list, country: await to('country', where, guess, readers.country) };
}

/** @throws AppError for a list that is asked for and cannot be read; any other one is refused with the whole plan */
async function guessOf(list: string, flags: InitFlags, { timezone }: CommandIo) {
  return countryOfList(sampleOr(list), timezone).catch((error: unknown) => {
    const mayBePlanned = !(error instanceof AppError) || error.code === 'LIST_COLUMN_UNCLEAR';
    if (mayBePlanned || flags.list !== undefined) return '';
    throw error;
  });
}

async function askForSetup(flags: InitFlags, home: string, io: CommandIo): Promise<Setup> {
  const isNamed = flags.service === SIMULATED;
  requireFlags(isNamed ? ['list'] : ['serviceUrl', 'keyFile', 'agent', 'list'], flags, io);
  const to = answersOf(flags, io);
  const address =
    'Address of the service, e.g. https://voice.example.com, or the built-in one that calls nobody';
  const url = isNamed ? SIMULATED : await to('serviceUrl', address, SIMULATED, readers.url);
  const isSimulated = url === SIMULATED;
  const { agentId, ...service } = isSimulated
    ? NO_SERVICE
    : await askForService(url, flags, home, io);
  const { list, country } = await askForList(flags, isSimulated, io);
  const ofList = campaignNameOf(list);
  const usual = io.attended ? freeName(ofList, home) : ofList;
  const name = await to('name', 'Name of the campaign', usual, (text) => {
    const read = readers.campaignName(text);
    refuseExisting(home, undefined, read);
    return read;
  });
  const clocks = 'Your time zone, for hours and printed times';
  const timezone = await to('timezone', clocks, io.timezone, readers.timezone);
  const choice = 'Calling rules, e.g. us-states; always: no calling hours, no caps';
  const rules =
    isSimulated || onLoopback(url)
      ? (flags.rules ?? '')
      : await to('rules', choice, 'local', readers.rules(home));
  return { home, ...service, campaign: { name, list, agent: agentId, country, timezone }, rules };
}

/** `spring`, or `spring-2` where there is a campaign file of that name. */
function freeName(name: string, home: string): string {
  const isTaken = (one: string) => existsSync(join(home, 'campaigns', `${one}.yaml`));
  let free = name;
  for (let n = 2; isTaken(free); n++) free = `${name}-${n}`;
  return free;
}

/** No name of a file that people would choose: it is easily pasted at the wrong question. */
const LIKE_A_KEY = /^(?=(?:sk|pk)[-_]|(?=.*\d).{20,}$)[\w-]+$/;

const NO_SERVICE = { service: null, key: null, agent: null, untested: null, agentId: '' };

/** Who makes the calls, and which agent speaks. */
async function askForService(url: string, flags: InitFlags, home: string, io: CommandIo) {
  const to = answersOf(flags, io);
  const name = await to('service', 'Its name in services.yaml', 'main', (text) => {
    const read = readers.serviceName(text);
    refuseExisting(home, read);
    return read;
  });
  const how = `How it speaks: ${profileNames(home).join(', ')}, or the file of a profile`;
  const profile = await to('profile', how, 'voice-agent', readers.profile(io, home));
  let tested: TestedKey = { key: '', isNew: false, seen: undefined };
  const keeps = 'Name of the file for its API key';
  const keyFile = await to('keyFile', keeps, `${name}.key`, async (text) => {
    const path = resolve(io.cwd, text);
    if (LIKE_A_KEY.test(text) && !existsSync(path))
      throw invalidFlag(
        '--key-file: That looks like the key itself. Give the name of a file such as main.key; the key is asked for next, and is not shown.',
      );
    tested = await testedKey(path, { name, url, profile }, io);
    return path;
  });
  if (io.attended && flags.agent === undefined) sayAgents(tested, io);
  const { agents = [], complete } = tested.seen?.list ?? {};
  const only = complete === true && agents.length === 1 ? agents[0]?.id : undefined;
  const agentId = await to('agent', 'ID of the agent that speaks', only, (text) => {
    refuseUnknownAgent(tested.seen, text);
    return text;
  });
  return {
    service: { name, url, profile: isPath(profile) ? resolve(io.cwd, profile) : profile, keyFile },
    key: tested.isNew ? tested.key : null,
    agent: tested.seen?.list.agents.find(({ id }) => id === agentId) ?? null,
    untested: untestedOf(tested.seen, agentId),
    agentId,
  };
}

/** `answerTo` with what is the same for every question. */
function answersOf(flags: InitFlags, io: CommandIo) {
  type Question = Parameters<typeof answerTo>;
  return (flag: Question[0], words: string, usual?: string, read: Question[3] = String) =>
    answerTo(flag, words, usual, read, flags, io);
}

/** A crontab line with absolute paths, as cron's PATH is short, and escaped %, as cron ends the line at a bare %. */
function nightlyLine(home: string, file: string, { program }: CommandIo): string {
  const command = [...program, 'run', file].map(shellWord).join(' ');
  const rest = "--add --yes --wait 3h --quiet --log-file 'data/logs/night-{date}.log'";
  const line = `umask 077; cd ${shellWord(home)} && ${command} ${rest}`;
  return `0 18 * * 1-5  ${line.replaceAll('%', '\\%')}`;
}

/** Lists agents to choose from, if the service was asked. */
function sayAgents({ seen }: TestedKey, io: CommandIo): void {
  if (seen === undefined) return;
  const { agents } = seen.list;
  say(io, agents.length === 0 ? 'The service has no agents yet.' : 'Its agents:');
  for (const { id, name } of agents.slice(0, MOST_AGENTS)) say(io, `  ${id}  ${name ?? ''}`);
}

/** A screen holds about this many lines beside the question. */
const MOST_AGENTS = 15;

function onLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
