// What pages say of commands, from the command table and the help of the program: of the compiled one, or in tests of
// the source.

const START = '<!-- commands -->';
const END = '<!-- /commands -->';

/** Groups of options that several commands share: the reference explains them once, and each command links to them. */
const SHARED = [
  ['Every command', 'commonOptions'],
  ['The database', 'databaseOptions'],
  ['The service', 'serviceOptions'],
  ['Settings of a campaign', 'settingOptions'],
  ['How a list is read', 'listOptions'],
  ['Receiving webhooks', 'listenerOptions'],
  ['Messages of a long command', 'messageOptions'],
];

/** The modules of the program that hold the commands. */
export const MODULES = [
  'commands',
  'args/command',
  'args/help',
  'args/parse',
  'args/options',
  'args/campaign-options',
  'args/console-options',
];

/** The commands, one line each. @param program what MODULES export */
export function commandOverview({ COMMANDS, overview }) {
  return fenced(overview(COMMANDS));
}

/** Every command with its arguments, its own options and its examples. @param program what MODULES export */
export async function commandReference(program) {
  const { COMMANDS, GROUPS, helpOf, commonOptions } = program;
  const shared = SHARED.map(([title, name]) => ({ title, options: program[name] }));

  async function commandPart(row) {
    const command = await row.load();
    const own = Object.entries({ ...commonOptions, ...command.options }).filter(
      ([name, spec]) => !shared.some(({ options }) => options[name] === spec),
    );
    const help = await helpOf(row, { ...command, options: Object.fromEntries(own) }, {});
    const links = sharedBy(command, shared.slice(1));
    return [`### callsheet ${row.name}\n`, fenced(help), ...links].join('\n');
  }

  const parts = ['## Options of several commands\n'];
  for (const { title, options } of shared) {
    parts.push(`### ${title}\n`, fenced(await optionsHelp(options, helpOf)));
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
export function withCommands(page, text) {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`The page needs the markers ${START} and ${END}.`);
  return `${page.slice(0, start + START.length)}\n\n${text}\n${page.slice(end)}`;
}

/** Options alone, in the layout of a command's help. */
async function optionsHelp(options, helpOf) {
  const row = { name: '', usage: '', describe: '' };
  const help = await helpOf(row, { arguments: {}, options, examples: [] }, {});
  return help.slice(
    help.indexOf('Options:\n') + 'Options:\n'.length,
    help.indexOf('\n\nExamples:'),
  );
}

/** Links to the shared options of a command; those of every command need none. */
function sharedBy({ options }, shared) {
  const links = shared.flatMap((group) => {
    const names = Object.keys(group.options);
    const here = names.filter((name) => options[name] === group.options[name]);
    if (here.length === 0) return [];
    const link = `[${group.title.toLowerCase()}](#${group.title.toLowerCase().replaceAll(' ', '-')})`;
    if (here.length === names.length) return [link];
    return [`${link} (${here.map((name) => `\`--${name}\``).join(', ')})`];
  });
  return links.length === 0 ? [] : [`Also: ${links.join('; ')}.\n`];
}

function fenced(text) {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}
