import { undoList } from '../../../app/suppression/undo-list.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, jsonOption } from '../../args/options.ts';

export const suppressUndo = defineCommand({
  arguments: {},
  options: {
    list: {
      type: 'text',
      describe: 'the list, by its path or its file name',
      required: true,
    },
    note: { type: 'text', describe: 'why, for the history of each number' },
    yes: {
      type: 'switch',
      describe: 'take them off without asking; needed without a terminal',
    },
    ...databaseOptions,
    ...jsonOption,
  },
  examples: [
    ['suppress undo --list march.csv', 'shows how many numbers, and asks'],
    ["suppress undo --list march.csv --yes --note 'wrong column'", 'without asking'],
  ],
  notes: `For a list whose columns were read wrongly. Entries of other lists, of files, of people and of the service stay.
The history of each number keeps both entries. Lists that were imported before callsheet kept their names cannot be
undone. Leads that ended as suppressed stay so; import the people into a new campaign to call them.`,
  run: async (args, io) => ({ json: await undoList(args, io) }),
});
