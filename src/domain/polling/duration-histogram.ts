/** Two ages of a call, in ms: at `afterMs` it was last known to be in progress, at `byMs` it was found to be over. */
export interface EndSeen {
  afterMs: number;
  byMs: number;
}

/** Where the first bin ends, for calls of ordinary length. */
const FIRST_EDGE_MS = 200;
/** The last bin begins here and has no end. */
const LAST_EDGE_MS = 7_200_000;
const BINS_TO_A_DOUBLING = 16;
/** The assumed distribution weighs as much as this many observed calls ... */
const ASSUMED_CALLS = 6;
/** ... and all observed calls together weigh as much as this many at most: older calls fade. */
const REMEMBERED_CALLS = 700;
/** The share of an inexact end that is spread evenly over its interval, so that the histogram can follow changes. */
const SPREAD_EVENLY = 0.1;

/**
 * When calls end: a histogram over the age of calls, with bins that grow with the age. An end is only known to lie
 * between two polls. The end is distributed over the bins between these polls in proportion to their counts so far (a
 * step of expectation maximisation), so that rare polls do not blur the histogram.
 */
export class DurationHistogram {
  /** Bin i reaches from edge i to edge i + 1, ages in ms; the first edge is 0, the last bin has no end. */
  readonly edgesMs: Float64Array;
  /** The number of calls in each bin, including the assumed calls. */
  readonly calls: Float64Array;
  readonly #assumed: Float64Array;
  readonly #scale: number;
  #seen = 0;

  /**
   * @param assumed the assumed share of calls that are over at an age (ms), used before any call was observed
   * @param scale factor on the assumed durations, e.g. 0.1 in a rehearsal with short calls; at most 1
   */
  constructor(assumed: (ageMs: number) => number, scale: number) {
    this.#scale = scale;
    this.edgesMs = edges(FIRST_EDGE_MS * scale);
    const over = this.edgesMs.map((edgeMs) => assumed(edgeMs / scale));
    this.#assumed = this.edgesMs.map(
      (_, bin) => ASSUMED_CALLS * ((over[bin + 1] ?? 1) - (over[bin] ?? 1)),
    );
    this.calls = Float64Array.from(this.#assumed);
  }

  learn({ afterMs, byMs }: EndSeen): void {
    const { calls } = this;
    this.#seen += 1;
    const first = this.binOf(afterMs);
    const last = this.binOf(byMs);
    if (first === last) {
      calls[first] = (calls[first] ?? 0) + 1;
      return;
    }
    let known = 0;
    for (let bin = first; bin <= last; bin++) known += this.#callsBetween(bin, afterMs, byMs);
    const evenly = known > 0 ? SPREAD_EVENLY : 1;
    const byKnown = known > 0 ? (1 - SPREAD_EVENLY) / known : 0;
    for (let bin = first; bin <= last; bin++) {
      const share = this.#callsBetween(bin, afterMs, byMs) * byKnown;
      const evenShare = (this.#spanMs(bin, afterMs, byMs) / (byMs - afterMs)) * evenly;
      calls[bin] = (calls[bin] ?? 0) + share + evenShare;
    }
  }

  /** The number of calls that the histogram has learned from; `fade` limits it to `REMEMBERED_CALLS`. */
  get seen(): number {
    return this.#seen;
  }

  /** Scales old calls down to `REMEMBERED_CALLS`; to be called every few calls. */
  fade(): void {
    if (this.#seen <= REMEMBERED_CALLS) return;
    const factor = REMEMBERED_CALLS / this.#seen;
    this.#seen = REMEMBERED_CALLS;
    for (const [bin, assumed] of this.#assumed.entries()) {
      this.calls[bin] = assumed + ((this.calls[bin] ?? 0) - assumed) * factor;
    }
  }

  binOf(ageMs: number): number {
    const ratio = ageMs / (FIRST_EDGE_MS * this.#scale);
    if (ratio < 1) return 0;
    const bin = 1 + Math.floor(Math.log2(ratio) * BINS_TO_A_DOUBLING);
    return Math.min(bin, this.edgesMs.length - 1);
  }

  /** How many of a bin's calls ended between two ages, if they are spread evenly over the bin. */
  #callsBetween(bin: number, fromMs: number, toMs: number): number {
    const from = this.edgesMs[bin] ?? 0;
    // The last bin has no end, so it is taken to end at `toMs`.
    const to = this.edgesMs[bin + 1] ?? toMs;
    return ((this.calls[bin] ?? 0) * this.#spanMs(bin, fromMs, toMs)) / (to - from);
  }

  #spanMs(bin: number, fromMs: number, toMs: number): number {
    const from = Math.max(this.edgesMs[bin] ?? 0, fromMs);
    return Math.max(0, Math.min(this.edgesMs[bin + 1] ?? Infinity, toMs) - from);
  }
}

function edges(firstMs: number): Float64Array {
  const ratio = 2 ** (1 / BINS_TO_A_DOUBLING);
  const all = [0];
  for (let i = 0, edgeMs = firstMs; edgeMs < LAST_EDGE_MS; edgeMs = firstMs * ratio ** ++i) {
    all.push(edgeMs);
  }
  return Float64Array.from(all);
}
