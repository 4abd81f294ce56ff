import type { OffsetAt } from '../calling/local-days.ts';
import type { CampaignSettings } from '../campaign.ts';
import { allowanceOf, type Limit } from '../nights/budget.ts';
import { nextNight, nightAt, stopsAt, type Night } from '../nights/night.ts';
import { NOTHING_SPENT, sumOf, withSettled, type Spent } from '../nights/spent.ts';
import type { SeenCall } from './seen-calls.ts';

export interface BudgetGame {
  settings: CampaignSettings;
  offsetAt: OffsetAt;
  /** What each night has used so far. */
  spent: Iterable<readonly [night: string, spent: Spent]>;
  /** The number of people that each simulated person stands for. */
  weight: number;
}

/** A budget is asked again this long after a call has ended. */
const ASK_AGAIN_MS = 1_000;

/** The nights of one play and the rest of each budget, by the functions of the claim. */
export class BudgetLeft {
  readonly #game: BudgetGame;
  readonly #nights: Map<string, Spent>;
  #night: Night | undefined;
  /** Calls that may still begin, now and when that was last asked. */
  #left = 0;
  #asked = 0;
  #limit: Limit | null = null;

  constructor(game: BudgetGame) {
    this.#game = game;
    this.#nights = new Map(game.spent);
  }

  /** True: at the last question, the budget of the whole campaign held calls back. */
  get isUsedUp(): boolean {
    return this.#limit?.until === 'change';
  }

  /**
   * Until when no call may begin, epoch ms; null: one may, Infinity: never again. Each call that begins leaves at least
   * one less, so the allowance is counted down, and asked again once half of it is gone: dearer calls may leave less.
   * @param callsEndAt when the next of the calls in progress ends, epoch ms
   */
  heldUntil(now: number, callsEndAt: number): number | null {
    const { settings, offsetAt, weight } = this.#game;
    const { stop, longestCallMs } = settings;
    if (stop === undefined) return null;
    const night = this.#nightAt(now);
    const isOver = stop.at !== undefined && now >= stopsAt(night, stop.at, settings, offsetAt);
    if (isOver || this.#left < weight || this.#left <= this.#asked / 2) {
      const tonight = this.#nights.get(night.date) ?? NOTHING_SPENT;
      const facts = { tonight, campaign: sumOf(this.#nights.values()), longestCallMs, isOver };
      const { more, limit } = allowanceOf(stop, facts);
      this.#left = this.#asked = more;
      this.#limit = limit;
    }
    // While no cost is known one call may begin: it stands for many here, and none of them would ever show its cost.
    const isFirst = this.#left > 0 && this.#limit?.by.endsWith('cost') === true;
    if (this.#left >= weight || isFirst) return null;
    if (this.#limit?.until === 'calls_end') return Math.max(callsEndAt, now + ASK_AGAIN_MS);
    return this.isUsedUp ? Infinity : nextNight(night, settings, offsetAt).beginsAt;
  }

  /** @returns the night to which the call belongs */
  begun(now: number): Night {
    const night = this.#nightAt(now);
    const { settings, weight } = this.#game;
    if (settings.stop === undefined) return night;
    const spent = this.#nights.get(night.date) ?? NOTHING_SPENT;
    const { calls, open } = spent;
    this.#nights.set(night.date, { ...spent, calls: calls + weight, open: open + weight });
    this.#left -= weight;
    return night;
  }

  settled({ date }: Night, { result, talkMs, slotMs, cost, currency }: SeenCall): void {
    const { settings, weight } = this.#game;
    if (settings.stop === undefined) return;
    const each = cost === null ? null : cost.toFixed(6);
    const call = { result, durationMs: talkMs, atMostMs: slotMs, cost: each, currency };
    const spent = withSettled(this.#nights.get(date) ?? NOTHING_SPENT, call, weight);
    this.#nights.set(date, { ...spent, open: Math.max(0, spent.open - weight) });
  }

  #nightAt(now: number): Night {
    const known = this.#night;
    if (known !== undefined && now < known.endsAt) return known;
    this.#left = 0;
    return (this.#night = nightAt(now, this.#game.settings, this.#game.offsetAt));
  }
}
