import { tryNotices } from '../../../app/notices/send.ts';
import { examine } from '../../../app/repair/doctor.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, logOf, serviceOptions } from '../../args/options.ts';
import { pasteable } from '../../terminal/output.ts';

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

export const test = defineCommand({
  arguments: { campaign: { describe: 'those that a campaign names, too' } },
  options: { services: serviceOptions.services, ...databaseOptions },
  examples: [
    ['notify test', 'a test notice to everybody whom `notify` of services.yaml names'],
    ['notify test renewals', 'and to those whom the campaign names'],
  ],
  notes: `Each receiver gets one notice with the event test, at once; it is not repeated, and nothing is stored. Exit 1: one
did not come.`,
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
