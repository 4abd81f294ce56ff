import { describe, expect, it } from 'vitest';
import { TRIED, type TriedCampaign } from './forecast/campaigns.ts';
import { judge, shortfalls, type Judged } from './forecast/judge.ts';
import { tryForecast, type Trial } from './forecast/try.ts';

/** `npm run forecast-check` tries all ten campaigns with the seed that it names, and prints how far off they were. */
const SEED = process.env['FORECAST_CHECK'];

/** One with retries, one under the hours of a country. */
const FEW = TRIED.filter((_, n) => [1, 5].includes(n)).map((tried) => ({
  ...tried,
  people: Math.min(tried.people, 120),
}));

/** Of ten ends one may be outside, of two none: a seed with which both are within. */
const USUAL_SEED = 'autumn';

const HOUR_MS = 3_600_000;

describe('the forecast of a campaign, made at its start from calls of an earlier one', () => {
  it('holds the end within its range, and its middle is near it', async () => {
    const trials: Trial[] = [];
    if (SEED === undefined)
      for (const tried of FEW) trials.push(await tryForecast(tried, USUAL_SEED, 150));
    else
      for (const tried of TRIED) {
        const trial = await tryForecast(tried, SEED);
        trials.push(trial);
        print(tried, trial);
      }
    const judged = trials.map(judge);
    if (SEED !== undefined) printSum(judged);
    expect(shortfalls(judged), JSON.stringify(judged, null, 2)).toEqual([]);
  }, 1_800_000);

  it('is judged by what finds an end outside the range, and a middle that is not near', () => {
    const forecastOf = (low: number | null, middle: number | null, high: number | null) => {
      const endsAt = { low, middle, high };
      return judge({
        title: '',
        startAt: 1_000,
        report: { endsAt } as Trial['report'],
        endedAt: 2_000,
      });
    };
    expect(forecastOf(1_900, 2_000, 2_100)).toMatchObject({ isWithin: true, isNear: true, off: 0 });
    expect(forecastOf(2_001, 2_050, 2_100)).toMatchObject({ isWithin: false, isNear: true });
    expect(forecastOf(1_500, 1_840, 1_999)).toMatchObject({ isWithin: false, isNear: false });
    expect(forecastOf(1_900, 2_160, 2_200)).toMatchObject({ isWithin: true, isNear: false });
    expect(forecastOf(1_900, null, null)).toMatchObject({ isWithin: true, isNear: false });
    expect(forecastOf(null, null, null)).toMatchObject({ isWithin: false, isNear: false });
  });

  it('falls short with two ends of ten outside, or three middles that are not near', () => {
    const of = (within: number, near: number) =>
      Array.from({ length: 10 }, (_, n) => ({
        ...{ title: '', off: 0, isWithin: n < within, isNear: n < near },
      }));
    expect(shortfalls(of(9, 8))).toEqual([]);
    expect(shortfalls(of(8, 8))).toEqual(['8 of 10 ends within the range']);
    expect(shortfalls(of(9, 7))).toEqual(['7 of 10 middles near the end']);
  });
});

function printSum(judged: Judged[]): void {
  const within = judged.filter(({ isWithin }) => isWithin).length;
  const near = judged.filter(({ isNear }) => isNear).length;
  process.stdout.write(
    `${within} of ${judged.length} ends within the range, ${near} middles near the end\n`,
  );
}

function print({ title }: TriedCampaign, trial: Trial): void {
  const hours = (at: number | null) =>
    at === null ? 'never' : ((at - trial.startAt) / HOUR_MS).toFixed(2);
  const { low, middle, high } = trial.report.endsAt;
  const { isWithin, off } = judge(trial);
  const range = `${hours(middle)} h (${hours(low)} to ${hours(high)})`;
  const calls = `${Math.round(trial.report.calls.middle)} calls forecast, ${trial.calls} made`;
  process.stdout.write(
    `${title}: forecast ${range}, ended ${hours(trial.endedAt)} h, ${isWithin ? 'within' : 'OUTSIDE'}, middle off by ${(off * 100).toFixed(1)}%; ${calls}\n`,
  );
}
