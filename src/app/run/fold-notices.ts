import type { Clock } from '../../runtime/clock.ts';
import { Folding } from '../../runtime/fold-repeats.ts';
import type { Log } from '../../runtime/log.ts';
import type { Notice } from '../../runtime/notice.ts';

/** Repeats of these are shown as one with their count. All other notices report a state, so each of them is shown. */
const FOLDED: ReadonlySet<Notice['event']> = new Set([
  'call.unknown',
  'doubt.found',
  'doubt.contradicted',
  'look.contradicted',
  'webhook.unkept',
  'slots.shrunk',
  'service.full',
]);

/** Each word that a profile does not know is told once, and no more of them than this. */
const MOST_WORDS = 20;

/** A notice for the watcher; with `more` the newest of so many equal ones that were held back. */
export interface NoticeEvent {
  is: 'notice';
  notice: Notice;
  more?: number | undefined;
}

/**
 * Logs every notice, and passes equal ones that follow each other quickly on as one with their count.
 *
 * @param fields added to each line of the log
 */
export function foldNotices(
  log: Log,
  onEvent: (event: NoticeEvent) => void,
  clock: Pick<Clock, 'after'>,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const folding = new Folding(clock);
  const words = new Set<string>();
  return {
    notify: (notice: Notice) => {
      if (notice.event === 'word.unknown') {
        const word = `${notice.of} ${notice.word}`;
        if (words.has(word) || words.size >= MOST_WORDS) return;
        words.add(word);
      }
      const { event, ...own } = notice;
      log.info(event, { ...fields, ...own });
      const tell = (more?: number) => {
        onEvent({ is: 'notice', notice, more });
      };
      if (FOLDED.has(event)) folding.add(event, tell);
      else tell();
    },
    /** Passes on what was held back; called when no more notices come. */
    flush: () => {
      folding.flush();
    },
  };
}
