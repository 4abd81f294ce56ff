import { explainPerson } from '../../../app/watch/explain.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions } from '../../args/options.ts';
import { storyOutcome } from '../../print/story.ts';

export const explain = defineCommand({
  arguments: {
    who: {
      describe: 'phone number, line of the list, call id, external id, or any text in a cell',
      required: true,
    },
  },
  options: {
    campaign: { type: 'text', describe: 'only this campaign' },
    all: { type: 'switch', describe: 'the whole story, also of campaigns that are over' },
    ...databaseOptions,
  },
  examples: [
    ['explain +12125550123', 'why they are not being called, when they will be, and what happened'],
    ['explain 17 --campaign spring', 'the person of line 17 of the list'],
  ],
  run: async (args, io) =>
    storyOutcome(await explainPerson({ ...args, inFull: false }, io), args, io),
});
