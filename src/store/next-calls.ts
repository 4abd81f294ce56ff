import type { Hold } from '../domain/calling/policy.ts';
import type { E164 } from '../domain/phone.ts';
import type { ClaimShortfall } from './claims.ts';

/** When people who wait may be called, by the functions that the claim decides by. Part of the port. */
export interface NextCallStore {
  /** When a claim would call this waiting lead, and what holds it back now; undefined: no such lead waits. */
  nextCall(campaignId: string, phone: E164, now: number): Promise<NextCall | undefined>;
  /** What keeps a claim from calling anybody of a campaign at `now`, in the order in which it asks; empty: nothing. */
  claimGates(query: {
    campaignId: string;
    /** As in `ClaimRequest`. */
    serviceSlots: number | null;
    now: number;
  }): Promise<ClaimGate[]>;
  /** The times at which claims held this lead back, oldest first. */
  holdsOf(campaignId: string, phone: E164): Promise<HeldBack[]>;
  /** How many people `variables` holds. */
  blankPeople(campaignId: string): Promise<number>;
  /** The places where leads of a campaign wait, in the order of their keys. */
  placesOf(campaignId: string): Promise<PlaceCount[]>;
}

/** When a waiting lead may be called, as a claim decides it. */
export interface NextCall {
  /**
   * The earliest moment at which nothing holds the call back, epoch ms; where calling hours are so rare that it was not
   * found, a moment before which there is none. Null: never, unless somebody changes something.
   */
  at: number | null;
  /** What holds it back now, in this order: its own time, calling hours, suppression, earlier calls, caps. */
  holds: Hold[];
}

/** Something that keeps a campaign from calling, whoever is due. */
export interface ClaimGate {
  why: ClaimShortfall;
  /** When it ends, epoch ms; null: that cannot be told. */
  until: number | null;
}

/** A time at which a lead was held back by a cap or a gap. */
export interface HeldBack extends Hold {
  /** When the claim decided it, epoch ms. */
  at: number;
}

/** A place where leads of a campaign wait. */
export interface PlaceCount {
  /** See `zoneKey` of domain/calling. */
  zoneKey: string;
  waiting: number;
  /** When the first of them is due, without calling hours, epoch ms; perhaps in the past. */
  firstNotBefore: number;
}
