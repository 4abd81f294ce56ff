import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../../src/runtime/files.ts';
import type { Desk } from '../../../helpers/callsheet.ts';
import { aDesk } from '../desk.ts';

const MB = 1_048_576;
const REFERENCE = readFileSync(join(packageRoot(), 'campaigns/profiles/reference.yaml'), 'utf8');

/** Files that are small to write and would take minutes, gigabytes or the whole stack to read. */
const BOMBS: [string, string, RegExp][] = [
  ['30 MB', 'agent: ag_1\n'.repeat(2.5e6), /larger than 1 MB/],
  ['brackets', `leads: ${'['.repeat(5e5)}${']'.repeat(5e5)}\n`, /:1:\d+: .*more than 64 deep/],
  ['groups', `leads: ${'{a: '.repeat(2e5)}\n`, /:1:\d+: .*more than 64 deep/],
  ['items', '- '.repeat(5e5), /:1:\d+: .*more than 64 deep/],
  [
    'an indentation',
    Array.from({ length: 1_400 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    /:\d+:\d+: .*more than 64 deep/,
  ],
  [
    'keys',
    Array.from({ length: 1_100 }, (_, i) => `k${i}: 1\n`).join(''),
    /:\d+:\d+: .*more than some 1,000 keys/,
  ],
  ['signs', '}'.repeat(MB - 1), /:1:\d+: .*more than 100,000 words and signs/],
  ['aliases', `a: &a [1]\nleads: [${'*a,'.repeat(MB / 4)}]\n`, /more than 100,000 words and signs/],
];

describe('a file of settings that is too much', () => {
  it.each(BOMBS)('is refused with its place and the limit: %s', async (what, text, said) => {
    const { at, service } = await aDesk();
    at.write('bomb.yaml', text);
    mkdirSync(at.path('campaigns/profiles'), { recursive: true });
    at.write('campaigns/profiles/bomb.yaml', text);
    const ways = [
      ['check', 'bomb.yaml'],
      ['run', 'leads.csv', '--agent', 'ag_1', '--services', 'bomb.yaml'],
      ['run', 'leads.csv', '--agent', 'ag_1', '--profile', 'bomb'],
      ['profile', 'check', 'bomb.yaml'],
    ];
    // One of them in every way, the others in one: all files are read by the same function.
    for (const argv of what === 'items' ? ways : ways.slice(0, 1)) await refused(at, argv, said);
    expect(service.dialled).toEqual([]);
  });

  it('is refused with anchors of anchors, which multiply', async () => {
    const { at } = await aDesk();
    const layer = (n: number) =>
      `l${n}: &l${n} {${Array.from({ length: 50 }, (_, i) => `k${i}: *l${n - 1}`).join(', ')}}\n`;
    at.write('bomb.yaml', `l0: &l0 {a: b}\n${[1, 2, 3, 4, 5].map(layer).join('')}`);
    await refused(at, ['check', 'bomb.yaml'], /bomb\.yaml:\d+:\d+: .*more than 100 times/);
    await refused(at, ['profile', 'check', 'bomb.yaml'], /bomb\.yaml:1:1: .*[Aa]lias/);
  });
});

describe('an expression of a profile that a service could make run for ever', () => {
  it.each([
    ['body.list.all(x, x in body.list)', 'body cannot be used inside a loop'],
    ['body.list.map(x, body.list)', 'body cannot be used inside a loop'],
    ['body.list.map(x, body.list.size())', 'body cannot be used inside a loop'],
    ['body.list.map(x, x.list.map(y, y))', 'inside another loop'],
    ['body.list.map(x, x).filter(x, x > 1)', 'inside another loop'],
    ['body.text.contains(body.other)', 'contains() is supported with a text in quotes only'],
    ['body.list.exists(x, x.text.contains(x.other))', 'with a text in quotes only'],
    ['body.text.split(body.other)', 'split() is supported with a text in quotes only'],
    ['cel.bind(a, body.list + body.list, a + a)', 'cel.bind() is not supported'],
    ['body.text.matches("(a+)+$")', 'matches() is not supported'],
    ['1 + '.repeat(500) + '1', 'xceeded maxAstNodes (400)'],
  ])('is refused with its place: %s', async (expression, said) => {
    const { at } = await aDesk();
    at.write('mine.yaml', REFERENCE.replace(/only: '.*'/, `only: '= ${expression}'`));
    const { code, err } = await at.run(['profile', 'check', 'mine.yaml']);
    expect(code).toBe(2);
    const line = REFERENCE.slice(0, REFERENCE.search(/only: '/)).split('\n').length;
    expect(err).toMatch(new RegExp(`mine\\.yaml:${line}:\\d+: `));
    expect(err).toContain(said);
  });
});

async function refused(at: Desk, argv: readonly string[], said: RegExp): Promise<void> {
  const { code, err } = await at.run(argv);
  expect([argv, code]).toEqual([argv, 2]);
  expect(err).toMatch(said);
  expect(err.length).toBeLessThan(2_000);
}
