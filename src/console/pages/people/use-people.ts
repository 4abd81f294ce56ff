import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CampaignDetail } from '../../contract/campaigns.ts';
import type { People } from '../../contract/people.ts';
import { path, query } from '../api/addresses.ts';
import { get, reconnections } from '../api/client.ts';
import { nextLook } from '../api/next-look.ts';
import type { PeopleFilter } from './filter.ts';
import { peoplePages, type PageAsked, type PeopleNow, type PeoplePages } from './people-pages.ts';
import { PAGE_ROWS } from './scroll-map.ts';

const LOOK_EVERY_MS = 3_000;
/** A search through everybody may take longer; it is not repeated by itself, so that calls are not kept waiting. */
const CHEAP_MS = 200;

/** Counts the times at which people may have changed: every 3 s while calls are made and somebody looks, and at the end. */
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
        await nextLook(LOOK_EVERY_MS, over.signal);
        if (over.signal.aborted) return;
        setTicks((n) => n + 1);
      }
    };
    void tick();
    return () => {
      over.abort();
    };
  }, [state]);
  return ticks;
}

/**
 * The people who match. While those of another choice are on their way, the ones before stay.
 *
 * @param ticks see useTicks
 */
export function usePeople(
  campaign: string,
  filter: PeopleFilter,
  ticks: number,
): { pages: PeoplePages; now: PeopleNow; isLoading: boolean; sentiments: ReadonlySet<string> } {
  const [, setDrawn] = useState(0);
  const sentiments = useRef(new Set<string>()).current;
  const tookMs = useRef(0);
  const pages = useMemo(() => {
    const read = async (page: PageAsked, signal: AbortSignal) => {
      const began = performance.now();
      const asked = query({ ...filter, ...page, limit: PAGE_ROWS });
      const people = await get<People>(`${path`/campaigns/${campaign}/people`}${asked}`, signal);
      tookMs.current = performance.now() - began;
      for (const { sentiment } of people.items) if (sentiment !== null) sentiments.add(sentiment);
      return people;
    };
    return peoplePages(read, () => {
      setDrawn((n) => n + 1);
    });
  }, [campaign, JSON.stringify(filter)]);
  useEffect(
    () => () => {
      pages.close();
    },
    [pages],
  );

  const times = ticks + reconnections.value;
  const refreshed = useRef(times);
  useEffect(() => {
    const isCheap = tookMs.current < CHEAP_MS || pages.now().failure !== undefined;
    if (refreshed.current !== times && isCheap) pages.refresh();
    refreshed.current = times;
  }, [times]);

  const shown = useRef(pages);
  const { count, failure } = pages.now();
  const isThere = count !== undefined || failure !== undefined;
  if (isThere) shown.current = pages;
  return { pages: shown.current, now: shown.current.now(), isLoading: !isThere, sentiments };
}
