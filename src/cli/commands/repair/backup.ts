import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT } from '../../../runtime/errors.ts';
import { backUp } from '../../../store/sqlite/file/backup.ts';
import type { Holdings } from '../../../store/sqlite/file/check.ts';
import { openSqliteStore } from '../../../store/sqlite/open.ts';
import { besideDatabase } from '../../../store/sqlite/file/own-files.ts';
import { defineCommand } from '../../args/command.ts';
import type { CommandIo } from '../../io.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printJson, say } from '../../terminal/output.ts';
import { inUse, requireNoDatabaseFile, requireUnused } from '../../../app/places/output-file.ts';
import { counted } from '../../../text/plural.ts';
import { locateDatabase } from '../../../app/places/database-place.ts';

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
    await refuseUsed(file, path, io);
    const holdings = backUp({ from: path, to: file, replace: args.force });
    if (args.json) printJson(io, { database: path, file, ...holdings });
    say(
      io,
      `Backup of ${path}: ${file} holds ${inWords(holdings)}; every page was looked through.`,
    );
    return EXIT.ok;
  },
});

/** @throws AppError `OUTPUT_IN_USE` (exit 2) */
async function refuseUsed(file: string, database: string, io: CommandIo): Promise<void> {
  requireNoDatabaseFile(file, io, database);
  if (!existsSync(file) || !existsSync(database)) return;
  const worked = besideDatabase(file).find((path) => existsSync(path));
  if (worked !== undefined)
    throw inUse(file, `a database that is worked with (${worked} is beside it)`);
  const store = openSqliteStore({ path: database, mode: 'read' });
  try {
    await requireUnused(file, { store }, io);
  } finally {
    await store.close();
  }
}

export function inWords({ campaigns, leads, attempts }: Holdings): string {
  return `${counted(campaigns, 'campaign')}, ${counted(leads, 'lead')} and ${counted(attempts, 'attempt')}`;
}
