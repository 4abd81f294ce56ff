import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Campaign, CampaignDetail, Counters, EndedCall } from '../../contract/campaigns.ts';
import { path } from '../api/addresses.ts';
import { get } from '../api/client.ts';
import { useLive } from '../api/live.ts';
import { useLoaded } from '../api/loaded.ts';
import type { ProblemBody } from '../../contract/common.ts';
import { withEnded } from './ended-calls.ts';
import { withSample, type Sample } from './samples.ts';

/** A campaign that is shown: as it is now, and what has happened while the page was open. */
export interface ShownCampaign {
  /** The newest figures; `version` is that of the settings shown, so that nobody changes what they have not seen. */
  campaign: CampaignDetail;
  /** How far the console's clock is ahead of this machine's, in ms. */
  clockAhead: number;
  /** Calls that have ended, the newest first. */
  ended: readonly EndedCall[];
  /** Once a second; read by charts alone. */
  samples: Signal<readonly Sample[]>;
  /** Puts in place what the answer to a change has told, and reads the rest anew. */
  changed: (answer?: Campaign) => void;
}

const SAMPLE_EVERY_MS = 1_000;

/** @returns `shown` is undefined until it was read; `gone`: why it is not there any more */
export function useCampaign(name: string): {
  shown: ShownCampaign | undefined;
  problem: ProblemBody | undefined;
  gone: string | undefined;
} {
  const loaded = useLoaded(
    (signal) => get<CampaignDetail>(path`/campaigns/${name}`, signal),
    [name],
  );
  const [live, setLive] = useState<Counters>();
  const [clockAhead, setClockAhead] = useState(0);
  const [ended, setEnded] = useState<readonly EndedCall[]>([]);
  const [gone, setGone] = useState<string>();
  useLive(name, {
    counters: (counters) => {
      setLive(counters);
      setClockAhead(counters.at - Date.now());
      setGone(undefined);
    },
    calls: (calls) => {
      setEnded((before) => withEnded(before, calls));
    },
    gone: ({ why }) => {
      setGone(why);
    },
  });

  const read = loaded.value;
  const isBehind = read !== undefined && live !== undefined && live.version > read.version;
  useEffect(() => {
    if (isBehind) loaded.reload();
  }, [isBehind, live?.version]);

  const campaign = read === undefined ? undefined : newest(read, live);
  const samples = useSamples(campaign);
  const shown = campaign && {
    campaign,
    clockAhead,
    ended,
    samples,
    changed: (answer?: Campaign) => {
      if (answer !== undefined) loaded.set({ ...campaign, ...answer });
      loaded.reload();
    },
  };
  return { shown, problem: loaded.problem, gone };
}

/** Counters that were read before the last change would show what is over. */
function newest(read: CampaignDetail, live: Counters | undefined): CampaignDetail {
  if (live === undefined || live.version < read.version) return read;
  return { ...read, ...live, version: read.version };
}

function useSamples(campaign: CampaignDetail | undefined): Signal<readonly Sample[]> {
  const samples = useSignal<readonly Sample[]>([]);
  const now = useRef(campaign);
  now.current = campaign;
  useEffect(() => {
    const timer = setInterval(() => {
      if (now.current !== undefined) samples.value = withSample(samples.value, now.current);
    }, SAMPLE_EVERY_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return samples;
}
