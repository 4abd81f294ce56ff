import type {
  CallingLimits,
  CallingPolicy,
  DayWindows,
} from '../../../../src/domain/calling/policy.ts';
import type { NewLead } from '../../../../src/store/port.ts';
import { aLead } from '../../../helpers/factory.ts';

/** Places whose clocks never change, so that a test can say what time it is there. */
export const LONDON = '+00:00;GB';
export const DUBAI = '+04:00;AE';
export const DENVER = '-07:00;US-CO';

/** A policy of one rule with these limits; default: none. */
export function aPolicy(
  limits: Partial<CallingLimits>,
  policy: Partial<CallingPolicy> = {},
): CallingPolicy {
  return {
    rules: [{ name: 'own', regions: {}, ...NO_LIMITS, ...limits }],
    hours: null,
    holidays: [],
    unknownZones: 'skip',
    zoneOverrides: [],
    marginMs: 0,
    ...policy,
  };
}

export const NO_LIMITS: CallingLimits = {
  hours: null,
  caps: [],
  afterConversationMs: null,
  afterRefusalMs: null,
};

/** Open on every day between two hours of the person's day. */
export function daily(from: number, to: number): CallingLimits['hours'] {
  const day: DayWindows = [[from * 60, to * 60]];
  const week = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day };
  return { week, holidays: null };
}

/** Leads of a list at these places, one after the other. */
export function leadsAt(...zoneKeys: string[]): NewLead[] {
  return zoneKeys.map((zoneKey, n) => aLead(n, { zoneKey }));
}
