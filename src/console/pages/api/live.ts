import { useEffect, useRef } from 'preact/hooks';
import type { Campaign, Counters, EndedCall } from '../../contract/campaigns.ts';
import { get, connectionLost, reconnections } from './client.ts';
import { pageOrigin, query } from './addresses.ts';

/** What an event stream of the console tells; see the route `watchEvents`. */
export interface LiveEvents {
  campaigns?: (campaigns: Campaign[]) => void;
  counters?: (counters: Counters) => void;
  calls?: (calls: EndedCall[]) => void;
  gone?: (what: { why: string }) => void;
}

const NAMES = ['campaigns', 'counters', 'calls', 'gone'] as const;

/**
 * Listens while the component is shown: one stream for a page, and another when the connection is back: a browser gives
 * up a stream that was refused while it tried by itself.
 *
 * @param campaign a name; null: all campaigns in short; undefined: does not listen
 */
export function useLive(campaign: string | null | undefined, events: LiveEvents): void {
  const newest = useRef(events);
  newest.current = events;
  useEffect(() => {
    if (campaign === undefined) return undefined;
    const stream = new EventSource(`${pageOrigin}/api/v1/events${query({ campaign })}`);
    for (const name of NAMES) {
      stream.addEventListener(name, ({ data }: MessageEvent<string>) => {
        (newest.current[name] as ((told: unknown) => void) | undefined)?.(JSON.parse(data));
      });
    }
    stream.addEventListener('error', () => {
      // A stream that was refused says nothing of why: another request finds out whether the session has ended.
      if (stream.readyState === EventSource.CLOSED) get('/session').catch(() => undefined);
      else connectionLost();
    });
    return () => {
      stream.close();
    };
  }, [campaign, reconnections.value]);
}
