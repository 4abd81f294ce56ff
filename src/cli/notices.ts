import type { Notice } from '../runtime/notice.ts';
import { asSentence, counted } from './plural.ts';
import { shellWord } from './shell-word.ts';

/** What the operator is told at once; single calls are for the log and the counts. */
export function sentenceOf(notice: Notice, campaign: string): string | undefined {
  switch (notice.event) {
    case 'campaign.paused':
      return notice.reason === 'operator'
        ? `Paused: no new call is started; calls in progress end by themselves. \`callsheet resume ${shellWord(campaign)}\` goes on.`
        : `Paused by callsheet: ${asSentence(notice.detail)}`;
    case 'campaign.resumed':
      return 'Resumed.';
    case 'breaker.opened':
      return `The service fails: no new call until it answers again. Last: ${asSentence(notice.detail)}`;
    case 'breaker.closed':
      return 'The service answers again.';
    case 'slots.shrunk':
      return `The service did not take a call for now (HTTP 429 or the like): ${counted(notice.limit, 'slot')} in use until it takes calls again.`;
    case 'service.full':
      return 'The service says that it has no slot free: no new call until it has one.';
    case 'store.failing':
      return `The database cannot be written (${notice.detail}); no new call is started.`;
    case 'store.locked':
      return 'Another program has locked the database: no new call is started, and what comes in is written when the lock is gone. After ten minutes this run ends.';
    case 'disk.full':
      return 'The disk of the database has less than 64 MB free: no new call is started; calls in progress are collected.';
    case 'call.unknown':
      return `The answer of a call was lost: ${asSentence(notice.detail)}`;
    case 'doubt.found':
      return `A call whose answer was lost is in the service's list of calls: ${notice.callId}.`;
    case 'doubt.contradicted':
      return `The service's list of calls contradicts what is known: ${asSentence(notice.detail)}`;
    case 'look.contradicted':
      return `The service told of another call than the one that was asked for (attempt ${notice.attempt}): ${asSentence(notice.detail)}`;
    case 'webhook.refused':
      return `A delivery for ${notice.service} was refused (${notice.why.replaceAll('_', ' ')}); refusals are counted, and told now and then.`;
    case 'webhook.unkept':
      return `A delivery of ${notice.service} could not be kept, and is asked for again: ${asSentence(notice.detail)}`;
    case 'webhooks.silent':
      return 'Webhooks have stopped coming: calls are looked at closely until one comes again.';
    case 'call.placed':
    case 'call.settled':
    case 'call.released':
    case 'call.rejected':
    case 'look.failed':
    case 'repeat.failed':
    case 'search.failed':
      return undefined;
  }
}
