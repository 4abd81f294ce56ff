import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import type { Campaign, CampaignDetail } from '../../../views/campaigns.ts';
import type { Problem } from '../../../views/fields.ts';
import { get, isConnected, path } from '../api/client.ts';
import { everySecond, useLoaded } from '../api/loaded.ts';

/** What a chart shows of one moment. */
export interface Sample {
  /** Epoch ms. */
  at: number;
  /** Calls a minute; null: not known. */
  perMinute: number | null;
  /** Slots in use, and how many there are. */
  held: number;
  limit: number;
}

/** Half an hour by the second; of what is older, every other one is kept, again and again. */
const MOST_SAMPLES = 1_800;

function withSample(
  samples: readonly Sample[],
  { perMinute, held, concurrency }: Campaign,
): readonly Sample[] {
  const kept =
    samples.length < MOST_SAMPLES
      ? samples
      : samples.filter((_, i) => i % 2 === 0 || i > MOST_SAMPLES / 2);
  return [...kept, { at: Date.now(), perMinute, held, limit: concurrency }];
}

/** A campaign that is shown: as it is now, and what has happened while the page was open. */
export interface ShownCampaign {
  campaign: CampaignDetail;
  /** Once a second while the page is visible; read by charts alone. */
  samples: Signal<readonly Sample[]>;
  /** Puts in place what the answer to a change has told, and reads the rest anew. */
  changed: (answer?: Partial<Campaign>) => void;
}

const SAMPLE_EVERY_MS = 1_000;

/** @returns `shown` is undefined until it was read */
export function useCampaign(name: string): {
  shown: ShownCampaign | undefined;
  problem: Problem | undefined;
} {
  const {
    value: campaign,
    problem,
    set,
    reload,
  } = useLoaded(
    (signal, before?: CampaignDetail) => get(path`/campaigns/${name}`, signal, before),
    [name],
    everySecond,
  );
  const samples = useSamples(campaign);
  const shown = campaign && {
    campaign,
    samples,
    changed: (answer?: Partial<Campaign>) => {
      if (answer !== undefined) set({ ...campaign, ...answer });
      reload();
    },
  };
  return { shown, problem };
}

function useSamples(campaign: CampaignDetail | undefined): Signal<readonly Sample[]> {
  const samples = useSignal<readonly Sample[]>([]);
  const now = useRef(campaign);
  now.current = campaign;
  useEffect(() => {
    const timer = setInterval(() => {
      const isNew = isConnected.value && document.visibilityState === 'visible';
      if (isNew && now.current !== undefined)
        samples.value = withSample(samples.value, now.current);
    }, SAMPLE_EVERY_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return samples;
}
