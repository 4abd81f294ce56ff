import type { SingleBar } from 'cli-progress';
import type { RowProgress } from '../../app/world.ts';
import type { Io } from '../io.ts';
import { grouped } from '../../text/amounts.ts';
import { createBar, widthNow } from './terminal.ts';

/** A list that is read in a moment needs no bar. */
const FROM_ROWS = 20_000;
const BAR_SIZE = 20;
/** What stands beside the name, for the longest list. */
const WIDTH_WITHOUT = BAR_SIZE + ' 100% : 1,000,000 of 1,000,000 rows'.length + 1;

/** A bar for the reading of a long list, on a terminal only; Ctrl-C ends the reading. */
export function listProgress(io: Io, what: string): RowProgress {
  let bar: SingleBar | undefined;
  // Whole or not at all: a path that is cut in the middle says nothing.
  const named = what.length <= widthNow(io) - WIDTH_WITHOUT ? what : (what.split(' ')[0] ?? '');
  return {
    onProgress: ({ done, total }) => {
      io.underway?.signal.throwIfAborted();
      if (!io.stderrIsTty || total < FROM_ROWS) return;
      if (bar === undefined) {
        bar = createBar(io, {
          format: `{bar} {percentage}% ${named}: {value} of {total} rows`,
          formatValue: (value, _options, type) =>
            type === 'value' || type === 'total' ? grouped(value) : String(value),
          barsize: BAR_SIZE,
          clearOnComplete: true,
        });
        bar.start(total, done);
      } else bar.update(done);
    },
    stop: () => {
      bar?.stop();
    },
  };
}
