import { resolve } from 'node:path';
import { EXIT } from '../../runtime/errors.ts';
import { backUp } from '../../store/sqlite/backup.ts';
import type { Holdings } from '../../store/sqlite/check.ts';
import { defineCommand } from '../command.ts';
import { databaseOptions, jsonOption, locateDatabase } from '../options.ts';
import { printJson, say } from '../output.ts';
import { counted } from '../plural.ts';

export const backup = defineCommand({
  arguments: { file: { describe: 'the file to write', required: true } },
  options: {
    ...databaseOptions,
    force: { type: 'switch', describe: 'replace the file if it is there' },
    ...jsonOption,
  },
  examples: [
    [
      'backup /mnt/backup/callsheet.db',
      'one file, consistent and looked through, also while a campaign runs',
    ],
  ],
  notes: 'The dial journal (.dials) is not part of it: it must never be set back.',
  run: async (args, io) => {
    const { path } = locateDatabase(args, io, false);
    const file = resolve(io.cwd, args.file);
    const holdings = backUp({ from: path, to: file, replace: args.force });
    if (args.json) printJson(io, { database: path, file, ...holdings });
    say(
      io,
      `Backup of ${path}: ${file} holds ${inWords(holdings)}; every page was looked through.`,
    );
    return EXIT.ok;
  },
});

export function inWords({ campaigns, leads, attempts }: Holdings): string {
  return `${counted(campaigns, 'campaign')}, ${counted(leads, 'lead')} and ${counted(attempts, 'attempt')}`;
}
