import { findPeople } from '../../../app/watch/find-people.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';
import { printPeople } from '../../print/people.ts';

export const show = defineCommand({
  arguments: {
    who: {
      describe: 'number, line of the list, call id, external id, a cell, or part of one',
      required: true,
    },
  },
  options: {
    campaign: { type: 'text', describe: 'only this campaign' },
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    ['show +12125550123', 'every attempt and transcript of this number, in all campaigns'],
    ['show 17 --campaign spring', 'the person of line 17 of the list'],
    ["show 'ann mill'", 'everybody with such a name, or company, or email'],
  ],
  run: async ({ json, ...args }, io) => {
    printPeople(await findPeople({ ...args, inFull: json }, io), json, io);
    return EXIT.ok;
  },
});
