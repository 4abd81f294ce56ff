import type { CallFeed } from '../../collect/polling/call-feed.ts';
import type { Log } from '../../runtime/log.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { NoticeWatch } from '../notices/watch.ts';
import type { OpenService } from '../services/service.ts';
import type { Listener } from '../webhooks/webhook-listener.ts';
import type { NoticeEvent } from '../run/fold-notices.ts';
import type { RunBounds, StopSignals } from '../run/run-events.ts';

/** What the parts of a server are given, and what it reports. */

export type ServeEvent =
  /** Serving has begun: a stop is reported from now on. */
  | { is: 'begun' }
  /** Webhooks are received from now on. */
  | { is: 'listening'; addresses: Listener['addresses'] }
  /** Calls of a campaign may begin now or, by the hours, at `opensAt` (epoch ms). */
  | { is: 'calling'; campaign: Campaign; bounds: RunBounds; opensAt: number | null }
  /** `campaign` is a name; it is empty for a notice about a delivery. */
  | (NoticeEvent & { campaign: string });

export interface ServeWatch {
  log: Log;
  stop: StopSignals;
  onEvent: (event: ServeEvent) => void;
}

export interface ServeOptions extends ServeWatch {
  store: Store;
  feed: CallFeed;
  noticeWatch: NoticeWatch;
  /** Aborts when the database is lost, with the error as its reason; serving ends then. */
  lost?: AbortSignal;
  /** Called whenever the campaigns are looked over. */
  onRound?: () => void;
  /** See `TakingCampaign`. */
  services?: string | undefined;
  /** A service's client, opened at its first use; undefined when that failed, which has been reported. */
  open: (service: string) => Promise<OpenService | undefined>;
}
