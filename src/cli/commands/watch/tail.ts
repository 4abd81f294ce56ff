import { followCalls } from '../../../app/watch/follow-calls.ts';
import { EXIT } from '../../../runtime/errors.ts';
import { defineCommand } from '../../args/command.ts';
import { databaseOptions, wholeNumber } from '../../args/options.ts';
import { calledPerson } from '../../../views/calls.ts';
import { callLine } from '../../print/calls.ts';
import { printJsonLines, printLines } from '../../terminal/output.ts';

/** The most calls shown at the beginning; for more there is `export`. */
const MOST_LINES = 10_000;

export const tail = defineCommand({
  arguments: { campaign: { describe: 'the name of a campaign', required: true } },
  options: {
    lines: {
      type: 'text',
      alias: 'n',
      describe: 'how many of the newest calls to begin with',
      default: '10',
    },
    once: { type: 'switch', describe: 'only these, without waiting for more' },
    ...databaseOptions,
  },
  examples: [
    ['tail spring', 'the last ten calls, then every call as it comes to an end'],
    ['tail spring --json', 'an object a line, for the next program'],
  ],
  json: calledPerson,
  run: async ({ campaign, db, lines, once, json }, io) => {
    const newest = wholeNumber('--lines', lines, { min: 0, max: MOST_LINES });
    const stop = new AbortController();
    const stopListening = once ? undefined : io.onSignal(stop.abort.bind(stop));
    try {
      const request = { campaign, db, newest, once, stop: stop.signal };
      const isOver = await followCalls(
        request,
        (calls) => {
          if (json)
            printJsonLines(
              io,
              calls.map((call) => JSON.stringify(call)),
            );
          else printLines(io, calls.map(callLine));
        },
        io,
      );
      return { code: isOver ? EXIT.ok : EXIT.interrupted };
    } finally {
      stopListening?.();
    }
  },
});
