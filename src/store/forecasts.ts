import type { WaitingPerson } from '../domain/forecast/people.ts';
import type { SeenCall } from '../domain/forecast/seen-calls.ts';

/** What a forecast is made from: part of the store port. Times are epoch ms. */
export interface ForecastStore {
  /**
   * People who wait in a campaign, with their earlier calls, in the order of their lists; of each `every` of them one,
   * 1: all.
   */
  waitingPeople(campaignId: string, every: number): Promise<WaitingPerson[]>;
  /** The newest calls with a result of one service, at most `limit`; some hundred thousand attempts are searched. */
  seenCalls(query: SeenQuery): Promise<SeenCall[]>;
}

export interface SeenQuery {
  service: string;
  /** Null: of all agents. */
  agent: string | null;
  /** Null: of all campaigns. */
  campaignId: string | null;
  limit: number;
}
