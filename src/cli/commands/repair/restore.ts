import { resolve } from 'node:path';
import { EXIT } from '../../../runtime/errors.ts';
import { openSqliteStore } from '../../../store/sqlite/open.ts';
import { restoreBackup } from '../../../store/sqlite/file/restore.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { counted } from '../../../text/plural.ts';
import { inWords } from './backup.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';

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
    const { path } = locateDatabase(args, io, false);
    const file = resolve(io.cwd, args.file);
    const stamp = new Date(io.clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
    const restored = restoreBackup({
      from: file,
      path,
      keepAs: `replaced-${stamp}Z`,
      alone: args.alone,
    });
    // As a run would: settings asserted, journal compared once more.
    let recovered = restored.recovered;
    const onRecovered = (count: number) => {
      recovered += count;
    };
    await openSqliteStore({ path, mode: 'dial', onRecovered }).close();
    const { holdings, keptAs } = restored;
    if (args.json) printJson(io, { database: path, file, ...holdings, recovered, keptAs });
    say(io, `Restored ${path} from ${file}: ${inWords(holdings)}.`);
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
