import { describe, expect, it } from 'vitest';
import { WebhookReliability, type ToldBy } from '../../../src/domain/polling/poll-scheduler.ts';

function after(...told: [ToldBy, number][]): WebhookReliability {
  const reliability = new WebhookReliability();
  for (const [by, times] of told) for (let i = 0; i < times; i++) reliability.learn(by);
  return reliability;
}

describe('the reliability of webhooks', () => {
  it('is none until one has come', () => {
    expect(after().untold).toBe(1);
    expect(after(['poll', 100]).untold).toBe(1);
    expect(after(['poll', 2], ['delivery', 1]).untold).toBeLessThan(1);
  });

  it('is the share of calls of which a delivery told first', () => {
    const reliability = after();
    for (let i = 0; i < 100; i++) reliability.learn(i % 20 === 7 ? 'poll' : 'delivery');
    expect(reliability.untold).toBeCloseTo(0.06, 2);
  });

  it('is never perfect, so that somebody always polls', () => {
    expect(after(['delivery', 10_000]).untold).toBeGreaterThan(0);
  });

  it('is none again after five calls in a row that a poll found, and that is told once', () => {
    const reliability = after(['delivery', 100], ['poll', 4]);
    expect(reliability.untold).toBeLessThan(0.1);
    expect(reliability.learn('poll')).toBe(true);
    expect(reliability.untold).toBe(1);
    expect(reliability.learn('poll')).toBe(false);
  });

  it('is back with the next delivery', () => {
    expect(after(['delivery', 100], ['poll', 5], ['delivery', 1]).untold).toBeLessThan(0.1);
  });

  it('is not told to have stopped where nobody ever listened', () => {
    const reliability = after(['poll', 4]);
    expect(reliability.learn('poll')).toBe(false);
  });

  it('forgets what was long ago', () => {
    const reliability = after(['delivery', 1_000]);
    for (let i = 0; i < 400; i++) reliability.learn(i % 2 === 0 ? 'poll' : 'delivery');
    expect(reliability.untold).toBeGreaterThan(0.4);
  });
});
