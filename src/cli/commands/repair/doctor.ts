import { examine } from '../../../app/repair/doctor.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, serviceOptions } from '../../args/options.ts';
import { pasteable } from '../../terminal/pasteable.ts';

export const doctor = defineCommand({
  arguments: {},
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
  run: async (args, io) => {
    const findings = await examine({ ...args, node: process.version }, io);
    const rows = findings.map(({ what, ok, detail }) => {
      return [what, ok ? 'yes' : 'NO', pasteable(detail, io)];
    });
    return {
      json: findings,
      table: [['WHAT', 'OK', 'DETAIL'], rows],
      code: findings.find(({ ok }) => !ok)?.code ?? EXIT.ok,
    };
  },
});
