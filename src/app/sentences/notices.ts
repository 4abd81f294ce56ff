import type { NoticeEvent } from '../run/run-events.ts';
import type { MessageKind } from '../world.ts';
import type { Notice } from '../../runtime/log.ts';
import { formatDuration } from '../../text/times.ts';
import { asSentence, counted, shellWord } from '../../text/wording.ts';
import { unknownWordSentence } from '../../text/nearest.ts';
import { AWAITED, SHOWN } from './situations.ts';

/** Tells the operator what a notice means for a campaign, if it concerns the operator. */
export function tellNotice(
  { notice, more }: NoticeEvent,
  campaign: string,
  tell: (sentence: string, kind: MessageKind) => void,
): void {
  const sentence = sentenceOf(notice, campaign);
  const times = more === undefined ? '' : ` (${counted(more, 'more time')})`;
  const isFine = FINE.has(notice.event) || ('reason' in notice && notice.reason === 'operator');
  if (sentence !== undefined) tell(sentence + times, isFine ? 'told' : 'problem');
}

/** The sentence for the operator; undefined for notices about individual calls, which are only logged and counted. */
export function sentenceOf(notice: Notice, campaign: string): string | undefined {
  switch (notice.event) {
    case 'campaign.paused':
      return notice.reason === 'operator'
        ? `Paused: no new call is started; calls in progress end by themselves. \`callsheet resume ${shellWord(campaign)}\` goes on.`
        : `Paused by callsheet: ${asSentence(notice.detail)}`;
    case 'campaign.resumed':
      return 'Resumed.';
    case 'breaker.opened':
      return notice.restMs === undefined
        ? `The service fails: no new call until it answers again. Last: ${asSentence(notice.detail)}`
        : `The service fails calls, though it answers otherwise: no new call for ${formatDuration(notice.restMs)}; if that one fails, too, the campaign is paused. Last: ${asSentence(notice.detail)}`;
    case 'breaker.lasts':
      return `The service has failed for ten minutes and is asked every minute. Last: ${asSentence(notice.detail)}`;
    case 'breaker.closed':
      return 'The service answers again.';
    case 'key.refused':
      return `Service ${notice.service} refused the key, so calls cannot be read: ${asSentence(notice.detail)}`;
    case 'slots.shrunk':
      return `The service did not take a call for now (HTTP 429 or the like): ${counted(notice.limit, 'slot')} in use until it takes calls again.`;
    case 'service.full':
      return 'The service says that it has no slot free: no new call until it has one.';
    case 'store.failing':
      return `The database cannot be written (${notice.detail}); no new call is started.`;
    case 'store.locked':
      return 'Another program has locked the database: no new call is started, and what comes in is written when the lock is gone. After ten minutes this run ends.';
    case 'store.away':
      return 'The server of the database does not answer: no new call is started, and what comes in is written when it is back. After ten minutes this run ends.';
    case 'disk.full':
      return 'The disk of the database has less than 64 MB free: no new call is started; calls in progress are collected.';
    case 'machines.awaited':
      return `No new call is started: ${AWAITED}. ${SHOWN}.`;
    case 'call.unknown':
      return `The answer of a call was lost: ${asSentence(notice.detail)}`;
    case 'doubt.found':
      return `A call whose answer was lost is in the service's list of calls: ${notice.callId}.`;
    case 'doubt.contradicted':
      return `The service's list of calls contradicts what is known: ${asSentence(notice.detail)}`;
    case 'poll.contradicted':
      return `The service answered about a different call from the one that was asked for (attempt ${notice.attempt}): ${asSentence(notice.detail)}`;
    case 'word.unknown':
      return unknownWordSentence(notice);
    case 'webhook.refused':
      return `A delivery for ${notice.service} was refused (${notice.why.replaceAll('_', ' ')}). ${signedBy(notice.headers)} Refusals are counted, and told now and then.`;
    case 'webhook.unkept':
      return `A delivery of ${notice.service} could not be kept, and is asked for again: ${asSentence(notice.detail)}`;
    case 'webhooks.silent':
      return 'Webhooks have stopped coming: calls are polled closely until one comes again.';
    case 'call.placed':
    case 'call.settled':
    case 'call.released':
    case 'call.rejected':
    case 'poll.failed':
    case 'replay.failed':
    case 'search.failed':
      return undefined;
  }
}

function signedBy(headers: readonly string[]): string {
  return headers.length === 0
    ? 'It came without a header that could hold a signature.'
    : `Headers that it came with: ${headers.join(', ')}; the profile says under webhooks.signature which one holds the signature.`;
}

/** What neither goes wrong nor has gone wrong until now; all else is a problem, which is shown even with --quiet. */
const FINE: ReadonlySet<Notice['event']> = new Set([
  'campaign.resumed',
  'doubt.found',
  'service.full',
  'slots.shrunk',
]);
