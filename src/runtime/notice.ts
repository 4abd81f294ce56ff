import type { UnknownWord } from '../domain/outcome.ts';

/** An event of a run; every notice is a log line, and some are also printed for the operator. */
export type Notice =
  | { event: 'call.placed'; attempt: string; callId: string }
  | { event: 'call.settled'; attempt: string; callId: string; result: string }
  | { event: 'call.released'; attempt: string; detail: string }
  | { event: 'call.rejected'; attempt: string; detail: string }
  | { event: 'call.unknown'; attempt: string; detail: string }
  /** A dial whose answer was lost was replayed, and the replay did not settle the doubt. */
  | { event: 'repeat.failed'; attempt: string; detail: string }
  /** A call whose answer was lost was found in the service's list of calls. */
  | { event: 'doubt.found'; attempt: string; callId: string }
  /** The service's list of calls contradicts what is known about the call. */
  | { event: 'doubt.contradicted'; attempt: string; detail: string }
  /** The service's list of calls could not be read, so calls in doubt were not searched for in it. */
  | { event: 'search.failed'; detail: string }
  /** Webhooks used to arrive, but now polls find the ends of calls first. */
  | { event: 'webhooks.silent' }
  /** The answer to a poll is about another call. */
  | { event: 'look.contradicted'; attempt: string; detail: string }
  | { event: 'look.failed'; attempt: string; detail: string }
  /** The service used a word that its profile does not know, see `UnknownWord`; sent for each call. */
  | ({ event: 'word.unknown' } & UnknownWord)
  | { event: 'slots.shrunk'; limit: number }
  /** The service reports that it takes no call now. */
  | { event: 'service.full' }
  /** `restMs`: dials fail although reads succeed, and nothing is dialled for so long; left out: a read has failed. */
  | { event: 'breaker.opened'; detail: string; restMs?: number }
  /** The service has failed for ten minutes and is waited for. */
  | { event: 'breaker.lasts'; detail: string }
  | { event: 'breaker.closed' }
  /** A poll was answered so: nothing can be read with this key. */
  | { event: 'key.refused'; service: string; detail: string }
  | { event: 'campaign.paused'; reason: string; detail: string }
  | { event: 'campaign.resumed' }
  | { event: 'store.failing'; detail: string }
  /** Another program holds the lock of the database; sent once for each lock. */
  | { event: 'store.locked' }
  | { event: 'disk.full' }
  /** `headers`: the names of those that may hold a signature. */
  | { event: 'webhook.refused'; service: string; why: string; headers: string[] }
  | { event: 'webhook.unkept'; service: string; detail: string };

export type Notify = (notice: Notice) => void;
