import { placesOf, type SeenCall, type WaitingPerson } from '../../../src/domain/forecast/game.ts';
import type { Game } from '../../../src/domain/forecast/play.ts';
import type { CampaignSettings } from '../../../src/domain/campaign.ts';
import { MINUTE_MS } from '../../../src/domain/time-units.ts';
import { zoneOffsets } from '../../../src/runtime/time-zones.ts';
import { callingTimes } from '../../../src/store/sql/claim/calling-times.ts';
import { LONDON } from '../../conformance/store/calling/policies.ts';
import { START } from '../../helpers/clock.ts';
import { someSettings } from '../../helpers/factory.ts';

/** A call that takes a minute of a slot, and whose result is in at once. */
export function aCall(own: Partial<SeenCall> = {}): SeenCall {
  return {
    ...{ result: 'answered', source: 'service', slotMs: MINUTE_MS, analysedMs: 0, talkMs: 40_000 },
    ...{ cost: null, currency: null, callbackMs: null, before: null },
    ...own,
  };
}

export function aPerson(own: Partial<WaitingPerson> = {}): WaitingPerson {
  return { zoneKey: LONDON, notBefore: 0, callbackAt: null, past: [], ...own };
}

/** People in London who are called one at a time, at any time, unless it is said otherwise. */
export function aGame(
  people: number | WaitingPerson[],
  own: Partial<CampaignSettings> = {},
  other: Partial<Game> = {},
): Game {
  const settings = someSettings({ timezone: 'UTC', concurrency: 1, ...own });
  const startAt = other.startAt ?? START;
  return {
    settings,
    people: typeof people === 'number' ? Array.from({ length: people }, () => aPerson()) : people,
    weight: 1,
    startAt,
    slots: settings.concurrency,
    placeOf: placesOf(callingTimes()(settings.policy), startAt),
    offsetAt: zoneOffsets([]),
    retryDerived: false,
    spent: [],
    firingAt: () => ({ at: startAt, endsAt: Infinity }),
    endsAt: Infinity,
    ...other,
  };
}
