import { consolePath } from '../../../app/access/listening.ts';
import { tryNotices } from '../../../app/notices/send.ts';
import { withOnlyRehearsals } from '../../../app/places/home.ts';
import { machinesOf, migrateDatabase, moveDatabase } from '../../../app/places/servers.ts';
import { backUpDatabase, restoreDatabase } from '../../../app/repair/backup.ts';
import { examine } from '../../../app/repair/doctor.ts';
import { requireConfirmed } from '../../../app/typed.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { counted } from '../../../text/wording.ts';
import {
  backup as backupView,
  findings as findingsView,
  machines as machinesView,
  migrated,
  moved as movedView,
  restored,
  triedNotices,
  type Backup,
  type Machines,
} from '../../../views/services.ts';
import { defineCommand } from '../../args/command.ts';
import type { Outcome } from '../../print/outcome.ts';
import { databaseOptions, logOf, serviceOptions } from '../../args/options.ts';
import { pasteable } from '../../terminal/output.ts';

export const doctor = defineCommand({
  options: {
    ...serviceOptions,
    ...databaseOptions,
    'mend-journal': {
      type: 'switch',
      describe: 'count everybody whom a damaged line of the dial journal may name as called',
    },
  },
  examples: [
    ['doctor --service main', 'Node, database, disk, service, key and profile, in a line each'],
  ],
  json: findingsView,
  run: async (args, io) => {
    const findings = await examine({ ...withOnlyRehearsals(args, io), node: process.version }, io);
    const rows = findings.map(({ what, state, detail, next }) => {
      const said = next === null ? detail : `${detail} Next: ${next}`;
      return [what, state === 'ok' ? 'yes' : 'NO', pasteable(said, io)];
    });
    return {
      json: findings,
      table: [['WHAT', 'OK', 'DETAIL'], rows],
      code: findings.find(({ state }) => state !== 'ok')?.exitCode ?? EXIT.ok,
    };
  },
});

export const test = defineCommand({
  arguments: { campaign: { describe: 'those that a campaign names, too' } },
  options: { services: serviceOptions.services, ...databaseOptions },
  examples: [
    ['notify test', 'a test notice to everybody whom `notify` of services.yaml names'],
    ['notify test renewals', 'and to those whom the campaign names'],
  ],
  notes: `Each receiver gets one notice with the event test, at once; it is not repeated, and nothing is stored. Exit 1: one
did not come.`,
  json: triedNotices,
  run: async (args, io) => {
    const { tried, services } = await tryNotices(args, logOf(args, io), io);
    const nobody = `Nobody is named: add \`notify\` to ${services}, or to the campaign file.`;
    return {
      json: tried,
      table: [
        ['TO', 'OF', 'CAME', 'WHY NOT'],
        tried.map(({ to, on, ok, why }) => [to, on.join(', '), ok ? 'yes' : 'NO', why]),
      ],
      hints: tried.length === 0 ? [nobody] : [],
      code: tried.some(({ ok }) => !ok) ? EXIT.failed : EXIT.ok,
    };
  },
});

export const migrate = defineCommand({
  options: databaseOptions,
  examples: [
    [
      "migrate --db 'postgres://ann@db.example.com/calls'",
      'the schema callsheet in that database, made or brought up to date',
    ],
  ],
  notes: `A database in a file needs no such command. The schema is the one that the URL names (?schema=NAME), else callsheet;
its user has to be allowed to make it, or it is there, empty and the user's own.`,
  json: migrated,
  run: async (args, io) => {
    const done = await migrateDatabase(args, io);
    const { database, from, version } = done;
    const what =
      from === null
        ? `Made the schema in ${database}, version ${version}.`
        : from < version
          ? `Brought the schema in ${database} from version ${from} to ${version}.`
          : `The schema in ${database} is up to date (version ${version}).`;
    return { json: done, told: [what] };
  },
});

export const move = defineCommand({
  options: {
    ...databaseOptions,
    to: { describe: 'URL of the database on a server', required: true },
    yes: { type: 'switch', describe: 'do not ask; needed without a terminal' },
  },
  examples: [
    [
      "move --to 'postgres://ann@db.example.com/calls'",
      'everything of data/callsheet.db, into a schema that is empty or not there yet',
    ],
  ],
  notes: `Pause all campaigns first, settle every open call, and end every callsheet that has the file open. All rows go in
one transaction, and each table is compared. The file stays, and is only read from then on. Results, lists and uploads
stay where they are, on this machine; rehearsals stay in simulated.db; users of the console sign in again. Broken off,
move again: it finishes, or says what differs.`,
  json: movedView,
  run: async ({ to, yes, ...args }, io) => {
    const confirm = async (from: string, url: string) => {
      const asked = {
        question: `${from} will only be read; calls will be made from ${url}. Type yes to move it:`,
        needed: 'To move a database needs a yes',
        undone: 'nothing was moved',
      };
      if (!yes) await requireConfirmed(io, asked);
    };
    const request = { ...args, to, consoleFile: consolePath(args, io) };
    const done = await moveDatabase(request, io, confirm);
    const rows = `${counted(done.rows, 'row')} of ${counted(done.tables, 'table')}`;
    const told = [
      `Moved ${done.from} to ${done.to}: ${inWords(done)}; ${rows}, each table compared.`,
      `Next: use it with --db '${done.to}', or set CALLSHEET_DB to it.`,
    ];
    return { json: done, told };
  },
});

function ofMachines(found: Machines): Outcome<Machines> {
  const rows = found.map(({ name, seenAt, leftAt, isAwaited }) => [
    ...[name, seenAt, leftAt, isAwaited ? 'waited for' : 'shown'],
  ]);
  if (rows.length === 0) return { json: found, hints: ['No machine calls from this database.'] };
  return { json: found, table: [['MACHINE', 'SEEN', 'LEFT', 'JOURNAL'], rows] };
}

export const machinesList = defineCommand({
  options: databaseOptions,
  examples: [
    ['machines list', 'who calls, since when nothing was heard, whose journal is missing'],
  ],
  notes: `After a failover or a restored copy nobody is called before each machine that has not left has compared its dial
journal with the database: its newest calls may stand only there. Starting callsheet on that machine does it.`,
  json: machinesView,
  run: async (args, io) => ofMachines(await machinesOf(args, io)),
});

export const machinesForget = defineCommand({
  arguments: { name: { describe: 'as `machines list` names it', required: true } },
  options: {
    ...databaseOptions,
    yes: { type: 'switch', describe: 'do not ask; needed without a terminal' },
  },
  examples: [['machines forget web-2-3fa2c1', 'its disk is lost, and with it its journal']],
  notes: `Whom it called in the last moments before the failover, or since the copy, nobody knows then: these people may be
called again. Ask the service first whom it has called.`,
  json: machinesView,
  run: async (args, io) => {
    const { name, yes } = args;
    const asked = {
      question: `People whom only ${name} has called may be called again. Type yes to forget it:`,
      needed: 'To forget a machine needs a yes',
      undone: `${name} is still waited for`,
    };
    if (!yes) await requireConfirmed(io, asked);
    return ofMachines(await machinesOf(args, io, { forget: name }));
  },
});

export const wasRestored = defineCommand({
  options: databaseOptions,
  examples: [['restored', 'after a copy of the disk or a snapshot was put back']],
  notes: `A failover, another server and what pg_restore makes are noticed without it. A copy of the disk under the same
server looks like the database itself: say so before anybody calls.`,
  json: machinesView,
  run: async (args, io) => ofMachines(await machinesOf(args, io, 'restored')),
});

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
  json: backupView,
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
  json: restored,
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

function inWords({
  campaigns,
  leads,
  attempts,
}: Pick<Backup, 'campaigns' | 'leads' | 'attempts'>): string {
  return `${counted(campaigns, 'campaign')}, ${counted(leads, 'lead')} and ${counted(attempts, 'attempt')}`;
}

function forgotten(count: number): string {
  if (count === 0) return 'According to the dial journal, no call has been made since that backup.';
  const calls = counted(count, 'call');
  const are = count === 1 ? 'is' : 'are';
  return `${calls} that it had forgotten came back from the dial journal as unknown and ${are} not made again; \`callsheet status\` shows what to do.`;
}
