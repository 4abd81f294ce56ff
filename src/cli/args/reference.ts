import { GROUPS } from './command.ts';
import { COMMANDS } from '../commands.ts';
import { overview } from './help.ts';
import { helpOf } from './parse.ts';

const START = '<!-- commands -->';
const END = '<!-- /commands -->';

/**
 * A README whose command reference, between its markers, says what the help says.
 *
 * @throws Error when the markers are missing
 */
export async function withCommandReference(readme: string): Promise<string> {
  const start = readme.indexOf(START);
  const end = readme.indexOf(END);
  if (start < 0 || end < start) throw new Error(`README.md needs the markers ${START} and ${END}.`);
  const before = readme.slice(0, start + START.length);
  return `${before}\n\n${await commandReference()}\n${readme.slice(end)}`;
}

async function commandReference(): Promise<string> {
  const parts = [fenced(overview(COMMANDS))];
  for (const group of GROUPS) {
    const rows = COMMANDS.filter((row) => row.group === group);
    if (rows.length > 0) parts.push(`### ${group}\n`);
    for (const row of rows) {
      parts.push(`#### callsheet ${row.name}\n`, fenced(await helpOf(row, await row.load())));
    }
  }
  return parts.join('\n');
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}
