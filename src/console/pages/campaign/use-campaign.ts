import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Campaign, CampaignDetail } from '../../contract/campaigns.ts';
import type { ProblemBody } from '../../contract/common.ts';
import { path } from '../api/addresses.ts';
import { get, isConnected } from '../api/client.ts';
import { everySecond, useLoaded } from '../api/loaded.ts';
import { withSample, type Sample } from './samples.ts';

/** A campaign that is shown: as it is now, and what has happened while the page was open. */
export interface ShownCampaign {
  campaign: CampaignDetail;
  /** Once a second while the page is visible; read by charts alone. */
  samples: Signal<readonly Sample[]>;
  /** Puts in place what the answer to a change has told, and reads the rest anew. */
  changed: (answer?: Campaign) => void;
}

const SAMPLE_EVERY_MS = 1_000;

/** @returns `shown` is undefined until it was read */
export function useCampaign(name: string): {
  shown: ShownCampaign | undefined;
  problem: ProblemBody | undefined;
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
    changed: (answer?: Campaign) => {
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
