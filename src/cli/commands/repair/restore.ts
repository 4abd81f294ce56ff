import { restoreDatabase } from '../../../app/repair/backup.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { counted } from '../../../text/plural.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { inWords } from './backup.ts';

export const restore = defineCommand({
  arguments: { file: { describe: 'what `callsheet backup` wrote', required: true } },
  options: {
    ...databaseOptions,
    alone: {
      type: 'switch',
      describe: 'you know that no callsheet works; for a database too damaged to tell',
    },
    ...jsonOption,
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
    if (args.json) printJson(io, done);
    const { database, file, keptAs, recovered } = done;
    say(io, `Restored ${database} from ${file}: ${inWords(done)}.`);
    if (keptAs !== null) say(io, `The database that was there is now ${keptAs}.`);
    say(io, forgotten(recovered));
    return EXIT.ok;
  },
});

function forgotten(count: number): string {
  if (count === 0) return 'No call was made since that backup, says the dial journal.';
  const calls = counted(count, 'call');
  const are = count === 1 ? 'is' : 'are';
  return `${calls} that it had forgotten came back from the dial journal as unknown and ${are} not made again; \`callsheet status\` shows what to do.`;
}
