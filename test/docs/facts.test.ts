import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN_KEYS } from '../../src/config/keys.ts';
import { loadZoneCorrections } from '../../src/config/rules/zone-overrides.ts';
import {
  ATTEMPT_STATES,
  HOLDING_STATES,
  transition,
  type AttemptEvent,
  type AttemptState,
} from '../../src/domain/attempt.ts';
import { RESULT_FORMAT_NAMES } from '../../src/domain/campaign.ts';
import { LEAD_RESULTS, leadAfter } from '../../src/domain/lead.ts';
import { mapColumns } from '../../src/leads/columns/map-columns.ts';
import { CALL_COLUMNS } from '../../src/results/columns.ts';
import { MEANING } from '../../src/results/figure-lines.ts';
import { EXIT } from '../../src/runtime/errors.ts';
import { DELIVERY_STATES } from '../../src/domain/same-call.ts';
import { page, root } from './pages.ts';

const { FAULTS } = (await import(new URL('../planted/faults.mjs', import.meta.url).href)) as {
  FAULTS: unknown[];
};
const code = (name: string) => `\`${name}\``;
const firsts = (rows: string[][]) => rows.map(([first]) => first);

it('the page for contributors names the newest time-zone data that is known, and when to look for newer', () => {
  const { reaches, due } = loadZoneCorrections();
  const day = new Date(due).toISOString().slice(0, 10);
  expect(page('.github/CONTRIBUTING.md').text).toContain(
    `up to **${reaches}**; look for a newer version from **${day}** on`,
  );
});

describe('the page of the command line', () => {
  it('lists the exit codes, and the root page says of each what it means at night', () => {
    const codes = Object.values(EXIT).map(String);
    expect(firsts(page('src/cli/README.md').tableAfter('## Exit codes'))).toEqual(codes);
    const night = page('README.md').tableAfter('## Every night');
    expect(night.flatMap(([some = '']) => some.split(', ')).toSorted()).toEqual(codes.toSorted());
  });
});

describe('the page of data', () => {
  const data = page('data/README.md');

  it('lists the columns of the results in their order', () => {
    const columns = firsts(data.tableAfter('**Results**: one row per lead'));
    expect(columns).toEqual(CALL_COLUMNS.map(code));
  });

  it('says what each result and each format means', () => {
    const results = data.tableAfter('### What a result means');
    expect(firsts(results)).toEqual(LEAD_RESULTS.map(code));
    for (const [index, [, meaning]] of results.entries()) {
      expect(meaning?.startsWith(MEANING[LEAD_RESULTS[index] ?? 'answered'])).toBe(true);
    }
    const formats = firsts(data.tableAfter('### Formats')).toSorted();
    expect(formats).toEqual(RESULT_FORMAT_NAMES.map(code).toSorted());
  });

  it('names only columns of lists that are recognised', () => {
    const [phone, country] = data.tableAfter('**The list** is CSV');
    const named = (cell = '') => [...cell.matchAll(/`([^`+]+)`/g)].map(([, name]) => name ?? '');
    expect(named(phone?.[1]).length).toBeGreaterThan(10);
    for (const name of named(phone?.[1])) expect(mapColumns('a list', [name]).phones).toEqual([0]);
    expect(named(country?.[1]).length).toBeGreaterThan(2);
    for (const name of named(country?.[1])) {
      expect(mapColumns('a list', ['phone', name]).fields.country).toBe(1);
    }
  });
});

describe('the page of campaigns', () => {
  const campaigns = page('campaigns/README.md');

  it('lists every key of a campaign file', () => {
    const cells = firsts(campaigns.tableAfter('<!-- settings -->'));
    expect(cells).toEqual(CAMPAIGN_KEYS.map(code));
  });

  it('lists the states of a delivery', () => {
    const states = firsts(campaigns.tableAfter('processes it again.'));
    expect(states.toSorted()).toEqual(DELIVERY_STATES.map(code).toSorted());
  });
});

describe('the page of the architecture', () => {
  const architecture = page('src/README.md');

  it('lists the states of an attempt with their leads and slots', () => {
    const holding: readonly string[] = HOLDING_STATES;
    const rows = architecture.tableAfter('An **attempt** is');
    expect(rows.map(([state, , lead, slot]) => [state, lead, slot])).toEqual(
      ATTEMPT_STATES.map((state) => [
        code(state),
        code(leadAfter(state).state),
        holding.includes(state) ? 'yes' : 'no',
      ]),
    );
  });

  it('shows every move of an attempt, and no other', () => {
    const rows = architecture.tableAfter('What moves an attempt on.');
    expect(rows).toEqual(ATTEMPT_STATES.map((state) => [code(state), movesFrom(state)]));
  });

  it('has a glossary whose terms are exports of the files that it names', () => {
    const rows = architecture.tableAfter('## Glossary');
    expect(rows.length).toBeGreaterThan(30);
    const terms = rows.map(([term = '']) => term);
    expect(terms.length).toBe(new Set(terms).size);
    const missing = rows.filter(([, , where = '']) => {
      const [, name = '', file = ''] = /^`(\w+)` in `(src\/[\w/.-]+)`$/.exec(where) ?? [];
      return !exportsOf(file).includes(name);
    });
    expect(missing).toEqual([]);
  });

  it('has a row for every folder of the source', () => {
    const rows = firsts(architecture.tableAfter('| folder  '));
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `[\`src/${name}\`](${name}/README.md)`);
    expect(rows.toSorted()).toEqual(folders.toSorted());
  });

  it('has a sentence for each runtime dependency', () => {
    const rows = architecture.tableAfter('## Runtime dependencies');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(firsts(rows)).toEqual(Object.keys(dependencies).map(code));
    for (const [, sentence = ''] of rows) expect(sentence).toMatch(/^[A-Z].{40,}\.$/);
  });
});

describe('the page of tests', () => {
  const tests = page('test/README.md');

  const scripts = readdirSync(join(root, 'test/bench'))
    .map((name) => ({
      name: name.replace('.mjs', ''),
      goals: name.endsWith('.mjs')
        ? goalsOf(readFileSync(join(root, 'test/bench', name), 'utf8'))
        : [],
    }))
    .filter(({ goals }) => goals.length > 0);

  it('says of every benchmark by which goals it fails', () => {
    const rows = tests.tableAfter('## Benchmarks');
    const benches = rows.flatMap(([cell = '']) => /bench:(\w+)/.exec(cell)?.slice(1) ?? []);
    expect(benches.toSorted()).toEqual(scripts.map(({ name }) => name).toSorted());
  });

  it.each(scripts)('says the goals that the benchmark fails by: $name', ({ name, goals }) => {
    const rows = tests.tableAfter('## Benchmarks');
    const first = rows.findIndex(([cell]) => cell === code(`npm run bench:${name}`));
    const next = rows.findIndex(([cell], at) => at > first && cell !== 'the same, with webhooks');
    const said = rows
      .slice(first, next < 0 ? undefined : next)
      .map(([, goal]) => goal)
      .join(' ')
      .replaceAll(/(?<=\d),(?=\d{3})/g, '');
    expect(goals.filter((goal) => !said.split(/[^\d.]+/).includes(goal))).toEqual([]);
  });

  it('says of which day the page of the benchmarks is', () => {
    const [, day] = /^# Benchmarks of (.*)$/m.exec(page('test/bench/results.md').text) ?? [];
    expect(tests.text).toContain(`[${day}](bench/results.md)`);
  });

  it('says how many faults are planted', () => {
    expect(Math.floor(FAULTS.length / 100)).toBe(5);
    expect(tests.text).toContain('at least five hundred ways');
  });
});

describe('what pages quote of messages', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n');

  it.each([
    ['README.md', '; no call begins in the last '],
    ['README.md', 'Type yes to start:'],
    ['README.md', 'Every lead is final.'],
    ['campaigns/README.md', 'was answered with HTTP '],
    ['campaigns/README.md', 'no call id was found; looked for '],
    ['campaigns/README.md', 'Paused by callsheet: '],
    ['campaigns/README.md', 'Webhooks of '],
    ['src/cli/errors.md', 'next:'],
  ])('%s: %s', (path, words) => {
    expect(page(path).whole).toContain(words);
    expect(sources).toContain(words);
  });
});

describe('what fails when', () => {
  const titles = testFiles('test')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

  it.each(['src/dispatch/at-most-once.md', 'src/collect/polling.md'])(
    'names for each failure a test that is there: %s',
    (path) => {
      const rows = page(path).tableAfter('## What fails when');
      expect(rows.length).toBeGreaterThan(10);
      for (const [failure, , , test = ''] of rows) {
        const [, title = ''] = /^"(.+)"$/.exec(test) ?? [];
        const isThere = title !== '' && titles.includes(title);
        expect({ failure, test, isThere }).toEqual({ failure, test, isThere: true });
      }
    },
  );
});

/** The figures of `GOALS`, and those that a figure is checked against; 0 means none. */
function goalsOf(script: string): string[] {
  const [, named = ''] = /const GOALS = \{(.*?)\};/s.exec(script) ?? [];
  const written = named.replaceAll('_', '').matchAll(/(?<![a-z])[\d.]*\d/g);
  return [...written].map(([goal]) => String(Number(goal)));
}

const EVENTS: readonly AttemptEvent['type'][] = [
  'placed',
  'rejected',
  'refused',
  'never_sent',
  'lost',
  'orphaned',
  'evidence',
  'line_down',
  'longest_call_passed',
  'settled',
  'not_called',
  'not_theirs',
  'deadline_passed',
  'gave_up',
];

/** As a cell of the table: the facts by the state that they lead to. */
function movesFrom(state: AttemptState): string {
  const facts = new Map<AttemptState, string[]>();
  for (const type of EVENTS) {
    const moved = transition({ state, callId: null }, { type, callId: 'call' });
    if (moved.kind === 'move') facts.set(moved.to, [...(facts.get(moved.to) ?? []), code(type)]);
  }
  const moves = [...facts].map(([to, types]) => `${types.join(', ')} -> ${code(to)}`);
  return moves.length === 0 ? 'none' : moves.join('; ');
}

function exportsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const named = /^export (?:async )?(?:abstract )?(?:function|class|const|type|interface) (\w+)/gm;
  return [...text.matchAll(named)].map(([, name = '']) => name);
}

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, folder, name));
}
