import { COMMANDS } from '../commands.ts';
import { GROUPS, type Command, type CommandRow, type Options } from './command.ts';
import { overview } from './help.ts';
import { listOptions, settingOptions } from './campaign-options.ts';
import { listenerOptions } from './console-options.ts';
import { commonOptions, databaseOptions, messageOptions, serviceOptions } from './options.ts';
import { helpOf, optionsHelp } from './parse.ts';

const START = '<!-- commands -->';
const END = '<!-- /commands -->';

/** Options that several commands share: the reference explains them once, and each command links to them. */
const SHARED: readonly { title: string; options: Options }[] = [
  { title: 'Every command', options: commonOptions },
  { title: 'The database', options: databaseOptions },
  { title: 'The service', options: serviceOptions },
  { title: 'Settings of a campaign', options: settingOptions },
  { title: 'How a list is read', options: listOptions },
  { title: 'Receiving webhooks', options: listenerOptions },
  { title: 'Messages of a long command', options: messageOptions },
];

/** The commands, one line each. */
export function commandOverview(): string {
  return fenced(overview(COMMANDS));
}

/** Every command with its arguments, its own options and its examples. */
export async function commandReference(): Promise<string> {
  const parts = ['## Options of several commands\n'];
  for (const { title, options } of SHARED) {
    parts.push(`### ${title}\n`, fenced(await optionsHelp(options)));
  }
  for (const group of GROUPS) {
    const rows = COMMANDS.filter((row) => row.group === group);
    if (rows.length > 0) parts.push(`## ${group}\n`);
    for (const row of rows) parts.push(await commandPart(row));
  }
  return parts.join('\n');
}

/**
 * The page with `text` between its markers; the rest of the page is unchanged.
 *
 * @throws Error when the markers are missing
 */
export function withCommands(page: string, text: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`The page needs the markers ${START} and ${END}.`);
  return `${page.slice(0, start + START.length)}\n\n${text}\n${page.slice(end)}`;
}

async function commandPart(row: CommandRow): Promise<string> {
  const command = await row.load();
  const own = Object.entries({ ...commonOptions, ...command.options }).filter(
    ([name, spec]) => !SHARED.some(({ options }) => options[name] === spec),
  );
  const help = await helpOf(row, { ...command, options: Object.fromEntries(own) }, {});
  return [`### callsheet ${row.name}\n`, fenced(help), ...sharedBy(command)].join('\n');
}

/** Links to the shared options of a command; those of every command (the first group) need none. */
function sharedBy({ options }: Command): string[] {
  const links = SHARED.slice(1).flatMap((group) => {
    const names = Object.keys(group.options);
    const here = names.filter((name) => options[name] === group.options[name]);
    if (here.length === 0) return [];
    const link = `[${group.title.toLowerCase()}](#${group.title.toLowerCase().replaceAll(' ', '-')})`;
    if (here.length === names.length) return [link];
    return [`${link} (${here.map((name) => `\`--${name}\``).join(', ')})`];
  });
  return links.length === 0 ? [] : [`Also: ${links.join('; ')}.\n`];
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}
