import type { Campaign } from '../../contract/campaigns.ts';

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

export function withSample(
  samples: readonly Sample[],
  { perMinute, progress, concurrency }: Campaign,
): readonly Sample[] {
  const kept =
    samples.length < MOST_SAMPLES
      ? samples
      : samples.filter((_, i) => i % 2 === 0 || i > MOST_SAMPLES / 2);
  return [...kept, { at: Date.now(), perMinute, held: progress.held, limit: concurrency }];
}
