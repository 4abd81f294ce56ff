import type { Analytics } from '../../domain/analytics.ts';

/** Analytics as they are printed in JSON: money is a number of the same digits there, not text. */
export function jsonAnalytics(
  analytics: Analytics | null,
): (Omit<Analytics, 'cost'> & { cost: number | null }) | null {
  if (analytics === null) return null;
  const { cost } = analytics;
  return { ...analytics, cost: cost === null ? null : Number(cost) };
}
