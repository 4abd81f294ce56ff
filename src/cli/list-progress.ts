import type { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';
import { grouped } from '../results/words.ts';
import { createBar } from './terminal.ts';

/** A list that is read in a moment needs no bar. */
const FROM_ROWS = 20_000;

interface ListProgress {
  onProgress: (rows: { done: number; total: number }) => void;
  stop: () => void;
}

/** A bar for the reading of a long list, on a terminal only; Ctrl-C ends the reading. */
export function listProgress(io: Io, what: string): ListProgress {
  let bar: SingleBar | undefined;
  return {
    onProgress: ({ done, total }) => {
      io.underway?.signal.throwIfAborted();
      if (!io.stderrIsTty || total < FROM_ROWS) return;
      if (bar === undefined) {
        bar = createBar(io, {
          format: `{bar} {percentage}% ${what}: {value} of {total} rows`,
          formatValue: (value, _options, type) =>
            type === 'value' || type === 'total' ? grouped(value) : String(value),
          barsize: 20,
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
