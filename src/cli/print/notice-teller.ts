import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Notice, Notify } from '../../runtime/notice.ts';
import { Folding } from '../terminal/folding.ts';
import type { MessageKind } from '../../app/world.ts';
import { isProblem, sentenceOf, sentenceOfMore } from './notices.ts';

export interface NoticeTeller {
  notify: Notify;
  /** Tells what was held back: nothing more comes. */
  flush: () => void;
}

/**
 * Logs every notice, and tells those that are for the operator: equal ones as one with their count.
 *
 * @param options.fields logged with each
 * @param options.tell a sentence
 */
export function tellNotices(
  {
    campaign,
    log,
    fields = {},
    tell,
  }: {
    campaign: string;
    log: Log;
    fields?: Readonly<Record<string, unknown>>;
    tell: (sentence: string, kind: MessageKind) => void;
  },
  clock: Pick<Clock, 'after'>,
): NoticeTeller {
  const folding = new Folding(clock);
  const notify = (notice: Notice) => {
    const { event, ...own } = notice;
    log.info(event, { ...fields, ...own });
    const sentence = sentenceOf(notice, campaign);
    if (sentence === undefined) return;
    const kind = isProblem(notice) ? 'problem' : 'told';
    const first = () => {
      tell(sentence, kind);
    };
    if (sentenceOfMore(notice, 1) === undefined) first();
    else
      folding.add(event, first, (count) => {
        tell(sentenceOfMore(notice, count) ?? sentence, kind);
      });
  };
  return {
    notify,
    flush: () => {
      folding.flush();
    },
  };
}
