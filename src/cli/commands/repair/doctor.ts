import { examine } from '../../../app/repair/doctor.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption, serviceOptions } from '../../args/options.ts';
import { printJson, printTable } from '../../terminal/output.ts';
import { pasteable } from '../../terminal/pasteable.ts';

export const doctor = defineCommand({
  arguments: {},
  options: {
    ...serviceOptions,
    ...databaseOptions,
    'mend-journal': {
      type: 'switch',
      describe: 'take whoever a damaged line of the dial journal can tell of for called',
    },
    ...jsonOption,
  },
  examples: [
    ['doctor --service main', 'Node, database, disk, service, key and profile, in a line each'],
  ],
  run: async (args, io) => {
    const findings = await examine({ ...args, node: process.version }, io);
    if (args.json) printJson(io, findings);
    else
      printTable(
        io,
        ['WHAT', 'OK', 'DETAIL'],
        findings.map(({ what, ok, detail }) => [what, ok ? 'yes' : 'NO', pasteable(detail, io)]),
      );
    return findings.find(({ ok }) => !ok)?.code ?? EXIT.ok;
  },
});
