import { backUpDatabase } from '../../../app/repair/backup.ts';
import { EXIT } from '../../../runtime/errors.ts';
import type { Holdings } from '../../../store/sqlite/file/check.ts';
import { counted } from '../../../text/plural.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';

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
    const done = await backUpDatabase(args, io);
    if (args.json) printJson(io, done);
    const { database, file } = done;
    say(
      io,
      `Backup of ${database}: ${file} holds ${inWords(done)}; every page was looked through.`,
    );
    return EXIT.ok;
  },
});

export function inWords({ campaigns, leads, attempts }: Holdings): string {
  return `${counted(campaigns, 'campaign')}, ${counted(leads, 'lead')} and ${counted(attempts, 'attempt')}`;
}
