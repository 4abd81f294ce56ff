import { describe, expect, it } from 'vitest';
import { aDesk, json, RUN } from '../desk.ts';

const CHECK = ['check', 'leads.csv', '--agent', 'ag_1'];

describe('the forecast of check', () => {
  it('says of a new list when it would be finished, from usual calls', async () => {
    const { at } = await aDesk();
    const { code, err } = await at.run(CHECK);
    expect(code).toBe(0);
    expect(err).toMatch(
      /\nForecast from .*, from usual calls, as too few were seen:\n {2}3 people through: /,
    );
    expect(err).toContain('  Cost: not known, as no call was seen.\n');
    expect(await json(at, CHECK)).toMatchObject({
      forecast: { people: 3, calls: { low: 3, middle: 3, high: 3 }, seen: { of: 'defaults' } },
    });
  });

  it('begins at the time that --at names, and refuses one that has passed', async () => {
    const { at } = await aDesk();
    const given = ['--at', '2099-01-05 18:00', '--timezone', 'Europe/Berlin'];
    const { err } = await at.run([...CHECK, ...given]);
    expect(err).toContain('Forecast from Mon 2099-01-05 18:00 Europe/Berlin');
    expect(await json(at, [...CHECK, ...given])).toMatchObject({
      forecast: { startAt: '2099-01-05T18:00:00+01:00' },
    });
    const late = await at.run([...CHECK, '--at', '2020-01-05 18:00']);
    expect([late.code, late.err]).toEqual([
      2,
      expect.stringContaining('--at "2020-01-05 18:00" has passed'),
    ]);
  });

  it('is about those who wait still, and is left out where nobody does', async () => {
    const { at } = await aDesk();
    await at.run([...RUN, '--limit', '1']);
    expect(await json(at, ['check', 'leads'])).toMatchObject({ forecast: { people: 2 } });
    await at.run(RUN);
    expect(await json(at, ['check', 'leads'])).toMatchObject({ forecast: null });
  });
});
