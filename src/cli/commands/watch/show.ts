import { findPeople } from '../../../app/watch/find-people.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { peopleOutcome } from '../../print/people.ts';

export const show = defineCommand({
  arguments: {
    who: {
      describe:
        'phone number, line of the list, call id, external id, or any text in a cell of the list',
      required: true,
    },
  },
  options: {
    campaign: { type: 'text', describe: 'only this campaign' },
    ...databaseOptions,
  },
  examples: [
    ['show +12125550123', 'every attempt and transcript of this number, in all campaigns'],
    ['show 17 --campaign spring', 'the person of line 17 of the list'],
    ["show 'ann mill'", 'everybody with such a name, or company, or email'],
  ],
  run: async (args, io) => peopleOutcome(await findPeople({ ...args, inFull: args.json }, io)),
});
