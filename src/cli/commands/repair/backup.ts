import { backUpDatabase, restoreDatabase } from '../../../app/repair/backup.ts';
import type { Holdings } from '../../../store/sqlite/file/backup.ts';
import { counted } from '../../../text/wording.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';

export const backup = defineCommand({
  arguments: { file: { describe: 'the file to write', required: true } },
  options: {
    ...databaseOptions,
    force: { type: 'switch', describe: 'replace the file if it is there' },
  },
  examples: [
    [
      'backup /mnt/backup/callsheet.db',
      'one file, consistent and looked through, also while a campaign runs',
    ],
  ],
  notes: `The dial journal (.dials) is not part of it: it must never be replaced by an older copy. Nor is console.db, with
the users and tokens of the console.`,
  run: async (args, io) => {
    const done = await backUpDatabase(args, io);
    const { database, file } = done;
    const told = `Backup of ${database}: ${file} holds ${inWords(done)}; every page was looked through.`;
    return { json: done, told: [told] };
  },
});

export const restore = defineCommand({
  arguments: { file: { describe: 'what `callsheet backup` wrote', required: true } },
  options: {
    ...databaseOptions,
    alone: {
      type: 'switch',
      describe: 'you know that no callsheet is running; for a database too damaged to tell',
    },
  },
  examples: [
    [
      'restore /mnt/backup/callsheet.db',
      'calls that the backup has forgotten come back as unknown and are not made again',
    ],
  ],
  notes:
    'The database that is replaced is kept beside it, under a dated name. The dial journal (.dials) stays\nwhere it is: it knows the calls since the backup.',
  run: async (args, io) => {
    const done = await restoreDatabase(args, io);
    const { database, file, keptAs, recovered } = done;
    const told = [
      `Restored ${database} from ${file}: ${inWords(done)}.`,
      ...(keptAs === null ? [] : [`The database that was there is now ${keptAs}.`]),
      forgotten(recovered),
    ];
    return { json: done, told };
  },
});

function inWords({ campaigns, leads, attempts }: Holdings): string {
  return `${counted(campaigns, 'campaign')}, ${counted(leads, 'lead')} and ${counted(attempts, 'attempt')}`;
}

function forgotten(count: number): string {
  if (count === 0) return 'According to the dial journal, no call has been made since that backup.';
  const calls = counted(count, 'call');
  const are = count === 1 ? 'is' : 'are';
  return `${calls} that it had forgotten came back from the dial journal as unknown and ${are} not made again; \`callsheet status\` shows what to do.`;
}
