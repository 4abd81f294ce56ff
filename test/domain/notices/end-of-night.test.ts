import { describe, expect, it } from 'vitest';
import { endOfNight, type NightFacts } from '../../../src/domain/notices/end-of-night.ts';

const facts = (overrides: Partial<NightFacts> = {}): NightFacts => ({
  night: '2026-01-05',
  nextNight: '2026-01-05',
  calls: 9,
  toldCalls: null,
  isCompleted: false,
  runEnded: false,
  isBusy: false,
  ...overrides,
});

describe('the end of a night', () => {
  it('is not there while more calls may follow', () => {
    expect(endOfNight(facts())).toBeNull();
    expect(endOfNight(facts({ isBusy: true, nextNight: null }))).toBeNull();
  });

  it('is there when the next call belongs to another night, or none follows', () => {
    expect(endOfNight(facts({ nextNight: '2026-01-06' }))).toBe('night');
    expect(endOfNight(facts({ nextNight: null }))).toBe('night');
  });

  it('is told of the first run of a night, as another may not follow', () => {
    expect(endOfNight(facts({ runEnded: true }))).toBe('run');
    expect(endOfNight(facts({ runEnded: true, toldCalls: 9 }))).toBeNull();
    expect(endOfNight(facts({ runEnded: true, toldCalls: 4 }))).toBeNull();
  });

  it('is told once more after that only if calls were made since', () => {
    expect(endOfNight(facts({ nextNight: null, toldCalls: 9 }))).toBe('silent');
    expect(endOfNight(facts({ nextNight: null, toldCalls: 4 }))).toBe('night');
  });

  it('is that of the campaign when every lead is final', () => {
    expect(endOfNight(facts({ isCompleted: true, toldCalls: 9 }))).toBe('campaign');
  });
});
