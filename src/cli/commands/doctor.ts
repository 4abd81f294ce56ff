import { existsSync } from 'node:fs';
import { EXIT, AppError, messageOf, type ExitCode } from '../../runtime/errors.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { defineCommand } from '../command.ts';
import type { Io } from '../io.ts';
import { databaseOptions, jsonOption, locateDatabase, serviceOptions } from '../options.ts';
import { printJson, printTable } from '../output.ts';
import { counted } from '../plural.ts';
import { chooseService, openService, type ServiceFlags } from '../service.ts';

interface Finding {
  what: string;
  ok: boolean;
  detail: string;
  code: ExitCode;
}

export const doctor = defineCommand({
  arguments: {},
  options: { ...serviceOptions, ...databaseOptions, ...jsonOption },
  examples: [
    [
      'doctor --service main',
      'Node, database, dial journal, service, key and profile, in a line each',
    ],
  ],
  run: async (args, io) => {
    const findings = [
      finding('node', process.version, true),
      checkDatabase(args, io),
      ...(await checkService(args, io)),
    ];
    if (args.json) printJson(io, findings);
    else
      printTable(
        io,
        ['WHAT', 'OK', 'DETAIL'],
        findings.map(({ what, ok, detail }) => [what, ok ? 'yes' : 'NO', detail]),
      );
    return findings.find(({ ok }) => !ok)?.code ?? EXIT.ok;
  },
});

function finding(what: string, detail: string, ok: boolean, code: ExitCode = EXIT.failed): Finding {
  return { what, ok, detail, code };
}

/** Opens the database as a run would: settings asserted, journal compared. */
function checkDatabase(args: ServiceFlags & { db?: string | undefined }, io: Io): Finding {
  const { path } = locateDatabase(args, io, args.service === 'simulated');
  if (!existsSync(path)) return finding('database', `${path} does not exist yet`, true);
  try {
    const store = openSqliteStore({ path, mode: 'dial' });
    void store.close();
    return finding('database', `${path}: settings and dial journal are in order`, true);
  } catch (error) {
    return failed('database', error);
  }
}

async function checkService(
  args: ServiceFlags & { db?: string | undefined },
  io: Io,
): Promise<Finding[]> {
  try {
    const { config, service, close } = await openService(chooseService(args, io), args, io);
    try {
      const { agents, complete } = await service.listAgents();
      const all = complete ? '' : ' (perhaps not all: a page or an entry could not be read)';
      return [
        finding('profile', config.profile.path, true),
        finding(
          'service',
          `${service.url} answers, the key is accepted, ${counted(agents.length, 'agent')}${all}`,
          true,
        ),
      ];
    } finally {
      await close();
    }
  } catch (error) {
    return [failed('service', error)];
  }
}

function failed(what: string, error: unknown): Finding {
  const hint = error instanceof AppError && error.hint !== undefined ? ` Next: ${error.hint}` : '';
  const code = error instanceof AppError ? error.exitCode : EXIT.failed;
  return finding(what, `${messageOf(error)}${hint}`, false, code);
}
