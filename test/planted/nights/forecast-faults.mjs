// Deliberate mistakes in forecasts: see faults.mjs for what the fields mean.
const PLAY = ['test/domain/forecast/play.test.ts'];
const FORECAST = ['test/domain/forecast/forecast.test.ts'];

export const FORECAST_FAULTS = [
  {
    title: 'a forecast calls people sooner than their retries allow',
    file: 'src/domain/forecast/play.ts',
    text: "if (hold !== null) return hold.until ?? 'over';",
    replacement: '',
    tests: PLAY,
  },
  {
    title: 'a forecast forgets what a night has used before it',
    file: 'src/domain/forecast/budget-left.ts',
    text: 'this.#nights = new Map(spent);',
    replacement: 'this.#nights = new Map();',
    tests: PLAY,
  },
  {
    title: 'a forecast is as sure of a few calls as of many',
    file: 'src/domain/forecast/likely-calls.ts',
    text: 'Array.from({ length: believed }, () => pick(seen));',
    replacement: '[...seen].slice(0, Math.max(believed, seen.length));',
    tests: FORECAST,
  },
];
