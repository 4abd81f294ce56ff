import { describe, expect, it } from 'vitest';
import {
  goesRound,
  healthOf,
  readinessOf,
  STUCK_AFTER_MS,
  type Vitals,
} from '../../../src/domain/monitoring/health.ts';

const WELL: Vitals = { listening: true, stopping: false, sinceRoundMs: 1_000, storeFails: false };
const STUCK = { sinceRoundMs: STUCK_AFTER_MS + 1 };

describe('how a serve does', () => {
  it.each<[string, Partial<Vitals>, string | null, string | null, boolean]>([
    ['all is well', {}, null, null, true],
    ['it begins', { listening: false }, null, 'starting', true],
    ['its loop is slow', { sinceRoundMs: STUCK_AFTER_MS }, null, null, true],
    ['its loop is stuck', STUCK, 'stuck', 'stuck', false],
    [
      'its loop is stuck at the beginning',
      { ...STUCK, listening: false },
      'stuck',
      'starting',
      false,
    ],
    ['the database cannot be written', { storeFails: true }, 'store', 'store', true],
    ['it stops, and its loop has ended', { ...STUCK, stopping: true }, null, 'stopping', true],
    [
      'it stops without a database',
      { stopping: true, storeFails: true },
      'store',
      'stopping',
      true,
    ],
  ])('%s', (_, vitals, health, readiness, watched) => {
    const now = { ...WELL, ...vitals };
    expect(healthOf(now).unwell).toBe(health);
    expect(readinessOf(now).unwell).toBe(readiness);
    expect(goesRound(now)).toBe(watched);
  });
});
