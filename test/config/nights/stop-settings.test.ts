import { describe, expect, it } from 'vitest';
import { someSettings } from '../../helpers/factory.ts';
import { fileWith, refusalOf, resolve, set } from '../settings-of.ts';

const refusal = (act: () => unknown) => refusalOf(act).message;

describe('budgets of a campaign', () => {
  it('are none unless somebody sets them', () => {
    expect(set()).not.toHaveProperty('stop');
    expect(set()).not.toHaveProperty('weight');
  });

  it('are read from a campaign file, for the night and for all of it', () => {
    const file = fileWith(
      "stop: { calls: 500, talkMinutes: 600, cost: 40 EUR, answered: 100, at: '20:30', total: { calls: 5000, cost: 012.50usd } }\nweight: 3",
    );

    expect(resolve({ file }).settings).toMatchObject({
      stop: {
        ...{ calls: 500, talkMinutes: 600, answered: 100, at: '20:30' },
        cost: { amount: '40', currency: 'EUR' },
        total: { calls: 5_000, cost: { amount: '12.5', currency: 'USD' } },
      },
      weight: 3,
    });
  });

  it('hold until one of them, or all, are taken away', () => {
    const stored = someSettings({ stop: { calls: 5, at: '20:30', total: { calls: 9 } } });
    const after = (...sets: string[]) => resolve({ stored, sets }).settings.stop;

    expect(after()).toEqual(stored.stop);
    expect(after('stop.calls=7')).toEqual({ calls: 7, at: '20:30', total: { calls: 9 } });
    expect(after('stop.at=none', 'stop.total.calls=none')).toEqual({ calls: 5 });
    expect(after('stop.calls=none', 'stop.at=none', 'stop.total.calls=none')).toBeUndefined();
    expect(after('stop=none')).toBeUndefined();
  });

  it('of a file give way to none of a flag', () => {
    const file = fileWith('stop: { calls: 500 }');

    expect(resolve({ file, sets: ['stop=none'] }).settings).not.toHaveProperty('stop');
    expect(refusal(() => set('stop=none', 'stop.calls=5'))).toContain(
      'stop is none, and stop.calls is given as well; give one of the two.',
    );
  });

  it('that change are printed as one value', () => {
    const changes = (stop: string[], stored = someSettings()) =>
      resolve({ stored, sets: stop }).changes.filter(({ key }) => key === 'stop');

    expect(changes(['stop.calls=1', 'stop.cost=40 EUR', 'stop.at=20:30'])).toMatchObject([
      { from: 'none', to: '1 call, 40 EUR a night, until 20:30' },
    ]);
    expect(
      changes(
        ['stop.talkMinutes=600', 'stop.answered=9', 'stop.total.calls=500'],
        someSettings({ stop: { total: { answered: 7 } } }),
      ),
    ).toMatchObject([
      {
        from: 'in all 7 answered calls',
        to: '600 minutes talked, 9 answered calls a night; in all 500 calls, 7 answered calls',
      },
    ]);
    expect(resolve({ stored: someSettings(), sets: ['weight=3'] }).changes).toMatchObject([
      { key: 'weight', from: '1', to: '3', source: 'flag --set' },
    ]);
  });

  it.each([
    ['stop.calls=0', 'stop.calls "0" is not a whole number from 1 to 1,000,000,000, or none.'],
    ['stop.answered=2.5', 'stop.answered "2.5" is not a whole number'],
    ['stop.total.calls=many', 'stop.total.calls "many" is not a whole number'],
    [
      'stop.cost=40',
      'stop.cost "40" has no currency; write it as its ISO 4217 code, such as 40 EUR.',
    ],
    ['stop.cost=40 EURO', 'stop.cost "40 EURO" has no ISO 4217 currency code; did you mean EUR?'],
    [
      'stop.cost=40 credits',
      'stop.cost "40 credits" has no ISO 4217 currency code such as EUR or USD.',
    ],
    [
      'stop.cost=0 EUR',
      'stop.cost "0 EUR" is not above zero; give what may be spent, such as 40 EUR, or none.',
    ],
    [
      'stop.cost=-1 EUR',
      'stop.cost "-1 EUR" is not an amount with its currency such as 40 EUR, or none.',
    ],
    ['stop.total.cost=1,50 EUR', 'is not an amount with its currency'],
    ['stop.at=25:00', 'stop.at "25:00" is not a time of day from 00:00 to 23:59, such as 09:00.'],
    ['stop.total.at=20:30', '"stop.total.at" is not a key'],
    ['stop=500', 'stop "500" is not none; give stop.calls'],
    [
      'stop.talkMinutes=10',
      'stop.talkMinutes 10 is less than longestCall 15m, so that no call could begin',
    ],
    ['weight=101', 'weight "101" is not a whole number from 1 to 100.'],
  ])('such as %s are refused with what is allowed', (text, sentence) => {
    expect(refusal(() => set(text))).toContain(sentence);
  });

  it('of talk time may be as short as the longest call', () => {
    expect(set('stop.talkMinutes=10', 'longestCall=10m').stop).toEqual({ talkMinutes: 10 });
    expect(refusal(() => set('stop.total.talkMinutes=14'))).toContain('stop.total.talkMinutes 14');
  });
});
