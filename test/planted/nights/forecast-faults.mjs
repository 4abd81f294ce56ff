// Deliberate mistakes in forecasts: see faults.mjs for what the fields mean.
const PLAY = ['test/domain/forecast/play.test.ts'];
const FORECAST = ['test/domain/forecast/forecast.test.ts'];

export const FORECAST_FAULTS = [
  {
    title: 'a forecast calls people sooner than their retries allow',
    file: 'src/domain/forecast/play.ts',
    text: 'if (hold !== null) return hold.until ?? Infinity;',
    replacement: '',
    tests: PLAY,
  },
  {
    title: 'a forecast forgets what a night has used before it',
    file: 'src/domain/forecast/game.ts',
    text: 'this.#nights = new Map(game.spent);',
    replacement: 'this.#nights = new Map();',
    tests: PLAY,
  },
  {
    title: 'a forecast is as sure of a few calls as of many',
    file: 'src/domain/forecast/game.ts',
    text: 'Array.from({ length: believed }, () => pick(seen));',
    replacement: '[...seen].slice(0, Math.max(believed, seen.length));',
    tests: FORECAST,
  },
  {
    title: 'a forecast calls in the hours of another day',
    file: 'src/domain/forecast/game.ts',
    text: 'if (from >= after && from < closes)',
    replacement: 'if (from < closes)',
    tests: [...PLAY, ...FORECAST],
  },
  {
    title: 'a forecast calls one place after the other, and not people in their order',
    file: 'src/domain/forecast/play.ts',
    text: 'one.number < other.number',
    replacement: 'one.number > other.number',
    tests: PLAY,
  },
];
