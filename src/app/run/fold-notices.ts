import type { Clock } from '../../runtime/clock.ts';
import { Folding } from '../../runtime/fold-repeats.ts';
import type { Log } from '../../runtime/log.ts';
import type { Notice } from '../../runtime/notice.ts';

/** Told one by one only at first, then as one with their count; all others say what is the case from now on. */
const FOLDED = [
  'call.unknown',
  'doubt.found',
  'doubt.contradicted',
  'look.contradicted',
  'webhook.unkept',
  'slots.shrunk',
  'service.full',
] as const;
export type FoldedNotice = Extract<Notice, { event: (typeof FOLDED)[number] }>;

/** A notice as whoever watches gets it: one, or `count` equal ones that were held back, of which `last` is the last. */
export type NoticeEvent =
  { is: 'notice'; notice: Notice } | { is: 'notices'; count: number; last: FoldedNotice };

/**
 * Logs every notice, and passes on equal ones that follow each other soon as one with their count.
 *
 * @param fields logged with each
 */
export function foldNotices(
  log: Log,
  onEvent: (event: NoticeEvent) => void,
  clock: Pick<Clock, 'after'>,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const folding = new Folding(clock);
  return {
    notify: (notice: Notice) => {
      const { event, ...own } = notice;
      log.info(event, { ...fields, ...own });
      const tell = () => {
        onEvent({ is: 'notice', notice });
      };
      if (!isFolded(notice)) tell();
      else
        folding.add(event, tell, (count) => {
          onEvent({ is: 'notices', count, last: notice });
        });
    },
    /** Tells what was held back: nothing more comes. */
    flush: () => {
      folding.flush();
    },
  };
}

function isFolded(notice: Notice): notice is FoldedNotice {
  return (FOLDED as readonly string[]).includes(notice.event);
}
