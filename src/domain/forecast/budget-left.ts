import type { OffsetAt } from '../calling/offsets.ts';
import type { CampaignSettings } from '../campaign.ts';
import { allowanceOf, type Limit } from '../nights/budget.ts';
import { nextNight, nightAt, stopsAt, type Night } from '../nights/night.ts';
import { NOTHING_SPENT, sumOf, withSettled, type Spent } from '../nights/spent.ts';
import type { SeenCall } from './seen-calls.ts';

/** What budgets look at. */
export type BudgetSettings = Pick<
  CampaignSettings,
  'timezone' | 'hours' | 'stop' | 'longestCallMs'
>;

/** The nights of one play, and what the budgets leave in each, by the functions of the claim. */
export class BudgetLeft {
  readonly #settings: BudgetSettings;
  readonly #offsetAt: OffsetAt;
  readonly #weight: number;
  readonly #nights: Map<string, Spent>;
  #night: Night | undefined;
  /** What was allowed when it was last asked, without the calls that have begun since. */
  #left = { more: 0, asked: 0, limit: null as Limit | null };

  /** @param spent what each night has used before; @param weight how many calls one stands for */
  constructor(
    settings: BudgetSettings,
    offsetAt: OffsetAt,
    { spent, weight }: { spent: Iterable<readonly [night: string, spent: Spent]>; weight: number },
  ) {
    this.#settings = settings;
    this.#offsetAt = offsetAt;
    this.#weight = weight;
    this.#nights = new Map(spent);
  }

  nightAt(at: number): Night {
    const known = this.#night;
    if (known !== undefined && at >= known.beginsAt && at < known.endsAt) return known;
    this.#left = { more: 0, asked: 0, limit: null };
    return (this.#night = nightAt(at, this.#settings, this.#offsetAt));
  }

  /**
   * How many calls may begin now. Each one that begins leaves at least one less, so that what was allowed is counted
   * down, and asked again once half of it is gone: dearer calls may leave less.
   */
  moreAt(at: number): number {
    const { stop } = this.#settings;
    if (stop === undefined) return Infinity;
    const night = this.nightAt(at);
    const closed =
      stop.at !== undefined && at >= stopsAt(night, stop.at, this.#settings, this.#offsetAt);
    const { more, asked } = this.#left;
    if (closed || more < this.#weight || more <= asked / 2) this.#ask(night, closed);
    const left = this.#left.more / this.#weight;
    // While no cost is known one call may begin: it stands for many here, and none of them would ever show its cost.
    const isFirst = left > 0 && this.#left.limit?.by.endsWith('cost') === true;
    return isFirst ? Math.ceil(left) : Math.floor(left);
  }

  /** What allows no more; to be asked after `moreAt` gave 0. */
  get limit(): Limit | null {
    return this.#left.limit;
  }

  /** When the next night begins after that of a moment. */
  nextNightAt(at: number): number {
    return nextNight(this.nightAt(at), this.#settings, this.#offsetAt).beginsAt;
  }

  /** @returns the night to which the call belongs */
  begun(at: number): string {
    const { date } = this.nightAt(at);
    if (this.#settings.stop === undefined) return date;
    const { calls, open, ...spent } = this.#nights.get(date) ?? NOTHING_SPENT;
    this.#nights.set(date, { ...spent, calls: calls + this.#weight, open: open + this.#weight });
    this.#left.more -= this.#weight;
    return date;
  }

  settled(night: string, { result, talkMs, slotMs, cost, currency }: SeenCall): void {
    if (this.#settings.stop === undefined) return;
    const many = this.#weight;
    const each = cost === null ? null : cost.toFixed(6);
    const call = { result, durationMs: talkMs, atMostMs: slotMs, cost: each, currency };
    const spent = withSettled(this.#nights.get(night) ?? NOTHING_SPENT, call, many);
    this.#nights.set(night, { ...spent, open: Math.max(0, spent.open - many) });
  }

  #ask(night: Night, isOver: boolean): void {
    const { stop = {}, longestCallMs } = this.#settings;
    const tonight = this.#nights.get(night.date) ?? NOTHING_SPENT;
    const campaign = sumOf(this.#nights.values());
    const { more, limit } = allowanceOf(stop, { tonight, campaign, longestCallMs, isOver });
    this.#left = { more, asked: more, limit };
  }
}
