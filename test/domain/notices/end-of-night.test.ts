import { describe, expect, it } from 'vitest';
import { endOfNight, type NightFacts } from '../../../src/domain/notices.ts';

const facts = (overrides: Partial<NightFacts> = {}): NightFacts => ({
  isOver: false,
  calls: 9,
  toldCalls: null,
  isCompleted: false,
  runEnded: false,
  ...overrides,
});

describe('the end of a night', () => {
  it('is not there while more calls may follow', () => {
    expect(endOfNight(facts())).toBeNull();
  });

  it('is there when no call follows in it', () => {
    expect(endOfNight(facts({ isOver: true }))).toBe('night');
  });

  it('is told of the first run of a night, as another may not follow', () => {
    expect(endOfNight(facts({ runEnded: true }))).toBe('run');
    expect(endOfNight(facts({ runEnded: true, toldCalls: 9 }))).toBeNull();
    expect(endOfNight(facts({ runEnded: true, toldCalls: 4 }))).toBeNull();
  });

  it('is told once more after that only if calls were made since', () => {
    expect(endOfNight(facts({ isOver: true, toldCalls: 9 }))).toBe('silent');
    expect(endOfNight(facts({ isOver: true, toldCalls: 4 }))).toBe('night');
  });

  it('is that of the campaign when every lead is final', () => {
    expect(endOfNight(facts({ isCompleted: true, toldCalls: 9 }))).toBe('campaign');
  });
});
