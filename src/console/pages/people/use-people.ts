import { useEffect, useRef, useState } from 'preact/hooks';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { People } from '../../contract/people.ts';
import { path, query } from '../api/addresses.ts';
import { get, isConnected, isSignedOut } from '../api/client.ts';
import { useListed, type Listed } from '../api/listed.ts';
import { nextLook } from '../api/next-look.ts';
import type { PeopleFilter } from './filter.ts';

const POLL_EVERY_MS = 3_000;
/** A search through everybody may take longer; it is not repeated by itself, so that calls are not kept waiting. */
const CHEAP_MS = 200;

/** Counts the times at which people may have changed: every 3 s while calls are made and the page is visible, and at the end. */
export function useTicks({ state }: Pick<CampaignDetail, 'state'>): number {
  const [ticks, setTicks] = useState(0);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) setTicks((n) => n + 1);
    isFirst.current = false;
    if (state !== 'running') return undefined;
    const over = new AbortController();
    const tick = async () => {
      for (;;) {
        await nextLook(POLL_EVERY_MS, over.signal);
        if (over.signal.aborted) return;
        if (isConnected.value && !isSignedOut.value) setTicks((n) => n + 1);
      }
    };
    void tick();
    return () => {
      over.abort();
    };
  }, [state]);
  return ticks;
}

/** The people who match. @param ticks when it changes, what is shown is read again; see useTicks */
export function usePeople(campaign: string, filter: PeopleFilter, ticks: number): Listed<People> {
  const tookMs = useRef(0);
  const listed = useListed<People>(
    async (after, signal) => {
      const began = performance.now();
      const address = `${path`/campaigns/${campaign}/people`}${query({ ...filter, after })}`;
      const people = await get<People>(address, signal);
      tookMs.current = performance.now() - began;
      return people;
    },
    [campaign, filter],
  );
  useEffect(() => {
    // Many pages may take longer than the time between two ticks: begun again each time, they would never be there.
    if (ticks > 0 && !listed.isLoading && tookMs.current < CHEAP_MS) listed.reload();
  }, [ticks]);
  return listed;
}
