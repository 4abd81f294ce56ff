import { relative, resolve } from 'node:path';
import { isPath } from '../../../config/campaign-file.ts';
import { isLoopback } from '../../../runtime/loopback.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { homeOf, homeSentence } from '../../../app/places/home.ts';
import {
  answerTo,
  canAsk,
  nameOfList,
  readers,
  requireFlags,
  type InitFlags,
  type Question,
} from '../../args/init-answers.ts';
import {
  campaignPath,
  refuseExisting,
  writeSetup,
  type Setup,
} from '../../../app/repair/init-files.ts';
import { refuseUnknownAgent, untestedOf } from '../../../app/services/test-key.ts';
import { testedKey, type TestedKey } from '../../args/init-key.ts';
import type { CommandIo } from '../../io.ts';
import { jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { shellWord } from '../../../text/shell-word.ts';
import { put } from '../../terminal/terminal.ts';

export const init = defineCommand({
  arguments: {},
  options: {
    'service-url': { type: 'text', describe: 'base address of the service' },
    service: { type: 'text', describe: 'how services.yaml is to name it; default main' },
    profile: { type: 'text', describe: 'name or path of its profile; default voice-agent' },
    'key-file': {
      type: 'text',
      describe:
        'file with the API key; made, mode 0600, where it is not there; default <service>.key',
    },
    agent: { type: 'text', describe: 'ID of the voice agent' },
    list: { type: 'text', describe: 'the first list' },
    name: { type: 'text', describe: "the campaign's name; default the list's" },
    country: { type: 'text', describe: 'country of numbers without +, e.g. US; default none' },
    timezone: { type: 'text', describe: "the campaign's zone; default the machine's" },
    rules: {
      type: 'text',
      describe: 'calling rules; always: no hours, no caps (only ones so far)',
    },
    ...jsonOption,
  },
  examples: [
    ['init', 'asks for all of it'],
    [
      'init --service-url https://voice.example.com --key-file main.key --agent ag_123 --list leads.csv --rules always',
      'the same without questions; the key file is there already',
    ],
  ],
  notes: `Writes campaigns/services.yaml (adds to one that is there), campaigns/<name>.yaml and the key file. Nothing that is
there is replaced; where something is wrong nothing is written at all.`,
  run: async (args, io) => {
    const home = homeOf(io);
    const where = homeSentence(home, io.cwd, 'data/ and campaigns/');
    if (where !== undefined) say(io, where);
    const setup = await askForSetup(args, home.folder, io);
    const path = campaignPath(setup);
    const file = relative(io.cwd, path);
    const files = await writeSetup(setup, io);
    if (args.json) printJson(io, { home: home.folder, files, campaign: setup.campaign.name });
    for (const each of files) say(io, `Written: ${each}`);
    say(io, `Next, calling nobody:`);
    say(io, `  callsheet check ${shellWord(file)}`);
    say(io, `Then call the list; run again, it goes on and repeats nobody:`);
    say(io, `  callsheet run ${shellWord(file)}`);
    say(io, `Every weekday at 18:00 (crontab -e; the machine's time):`);
    // Whole, to be copied: a crontab line has no second one.
    put(io, 'err', `  ${nightlyLine(home.folder, relative(home.folder, path), io)}\n`);
    return EXIT.ok;
  },
});

/** @throws AppError `USAGE`, `FLAG_INVALID`, `SERVICE_EXISTS`, `CAMPAIGN_FILE_EXISTS`, `AGENT_UNKNOWN`, `NOT_CONFIRMED` (exit 2), `SERVICE_KEY_REFUSED` (exit 4) */
async function askForSetup(flags: InitFlags, home: string, io: CommandIo): Promise<Setup> {
  const isLive = flags.serviceUrl === undefined || !onLoopback(flags.serviceUrl);
  requireFlags(
    ['serviceUrl', 'keyFile', 'agent', 'list', ...(isLive ? (['rules'] as const) : [])],
    flags,
    io,
  );
  const to = (question: Question) => answerTo(question, flags, io);
  const url = await to({
    flag: 'serviceUrl',
    words: 'Address of the service, e.g. https://voice.example.com',
    read: readers.url,
  });
  const name = await to({
    flag: 'service',
    words: 'Its name in services.yaml',
    usual: 'main',
    read: (text) => {
      const read = readers.serviceName(text);
      refuseExisting(home, read);
      return read;
    },
  });
  const profile = await to({
    flag: 'profile',
    words: 'How it speaks: the name of a profile',
    usual: 'voice-agent',
    read: readers.profile(io, home),
  });
  const keyFile = resolve(
    io.cwd,
    await to({ flag: 'keyFile', words: 'File with its API key', usual: `${name}.key` }),
  );
  const tested = await testedKey(keyFile, { url, profile }, io);
  if (canAsk(io) && flags.agent === undefined) sayAgents(tested, io);
  const agent = await to({
    flag: 'agent',
    words: 'ID of the agent that speaks',
    read: (text) => {
      refuseUnknownAgent(tested.seen, text);
      return text;
    },
  });
  const list = await to({ flag: 'list', words: 'The first list', read: readers.list(io) });
  const campaignName = await to({
    flag: 'name',
    words: 'Name of the campaign',
    usual: nameOfList(list),
    read: (text) => {
      const read = readers.campaignName(text);
      refuseExisting(home, undefined, read);
      return read;
    },
  });
  const country = await to({
    flag: 'country',
    words: 'Country of numbers without +, e.g. US',
    usual: '',
    read: readers.country,
  });
  const timezone = await to({
    flag: 'timezone',
    words: 'Time zone',
    usual: io.timezone,
    read: readers.timezone,
  });
  const rules = onLoopback(url)
    ? (flags.rules ?? '')
    : await to({
        flag: 'rules',
        words: 'Calling rules; there is only "always": no calling hours, no caps. Type always',
        read: readers.rules,
      });
  return {
    home,
    service: { name, url, profile: isPath(profile) ? resolve(io.cwd, profile) : profile, keyFile },
    key: tested.isNew ? tested.key : null,
    untested: untestedOf(tested.seen, agent),
    campaign: { name: campaignName, list, agent, country, timezone },
    rules,
  };
}

/** With absolute paths, as cron's PATH is short; cron takes a bare % for the end of the line. */
function nightlyLine(home: string, file: string, { program }: CommandIo): string {
  const command = [...program, 'run', file].map(shellWord).join(' ');
  const rest = "--until 20:30 --add --yes --quiet --log-file 'data/logs/night-{date}.log'";
  const line = `umask 077; cd ${shellWord(home)} && ${command} ${rest}`;
  return `0 18 * * 1-5  ${line.replaceAll('%', '\\%')}`;
}

/** The agents that there are to choose from, where the service was asked. */
function sayAgents({ seen }: TestedKey, io: CommandIo): void {
  if (seen === undefined) return;
  const { agents } = seen.list;
  say(io, agents.length === 0 ? 'The service has no agents yet.' : 'Its agents:');
  for (const { id, name } of agents.slice(0, MOST_AGENTS)) say(io, `  ${id}  ${name ?? ''}`);
}

/** A screen holds so many beside the question. */
const MOST_AGENTS = 15;

function onLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
