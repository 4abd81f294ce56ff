import type { World } from '../../app/world.ts';
import type { Campaign, Counters, EndedCall } from '../contract/campaigns.ts';
import type { CallRates } from './call-rate.ts';

/** What an event stream sends. */
export type ConsoleEvent =
  | { event: 'campaigns'; data: Campaign[] }
  | { event: 'counters'; data: Counters }
  | { event: 'calls'; data: EndedCall[] }
  | { event: 'gone'; data: { why: string } };

/** Reads what changes once for everybody who watches it, and passes it on. */
export interface EventHub {
  /** How fast campaigns call; shared with answers, so that both say the same. */
  rates: CallRates;
  /**
   * Sends what happens from now on until the returned function is called; first how it is now, and of one campaign the
   * calls that ended last.
   *
   * @param topic a campaign's name; null: all campaigns in short
   * @throws AppError `TOO_MANY_STREAMS`
   */
  subscribe(topic: string | null, send: (event: ConsoleEvent) => void): () => void;
  close(): void;
}

/** Where the hub reads. */
export interface EventSources {
  world: World;
  files: { db: string | undefined };
}
