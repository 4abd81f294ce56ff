import { expect, it } from 'vitest';
import { lintMetrics } from './metrics-lint.ts';

const family = (name: string, type: string, lines: string, help = 'Some help.') =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}\n`;

it('finds nothing in what is right', () => {
  const right = [
    family('a_total', 'counter', 'a_total{x="1",y="a\\"b\\\\c\\nd"} 3'),
    family('wait_seconds', 'gauge', 'wait_seconds -0.5'),
    family(
      'talk_seconds',
      'histogram',
      'talk_seconds_bucket{le="1"} 1\ntalk_seconds_bucket{le="+Inf"} 2\ntalk_seconds_sum 3\ntalk_seconds_count 2',
    ),
  ].join('');
  const { problems, samples } = lintMetrics(right);
  expect(problems).toEqual([]);
  expect(samples[0]).toEqual({ name: 'a_total', labels: { x: '1', y: 'a"b\\c\nd' }, value: 3 });
});

it.each([
  ['a counter without _total', family('a', 'counter', 'a 1')],
  ['a gauge with _total', family('a_total', 'gauge', 'a_total 1')],
  ['no help', family('a', 'gauge', 'a 1', '')],
  ['no type', '# HELP a Some help.\na 1\n'],
  ['no HELP', '# TYPE a gauge\na 1\n'],
  ['another unit than seconds', family('a_ms', 'gauge', 'a_ms 1')],
  ['a unit that is not written out', family('a_sec', 'gauge', 'a_sec 1')],
  ['capitals', family('aB', 'gauge', 'aB 1')],
  ['a word of types', family('a_count', 'gauge', 'a_count 1')],
  ['a label for summaries', family('a', 'gauge', 'a{quantile="0.5"} 1')],
  ['the same series twice', family('a', 'gauge', 'a{x="1"} 1\na{x="1"} 2')],
  ['the same metric twice', family('a', 'gauge', 'a 1') + family('a', 'gauge', 'a{x="2"} 1')],
  ['a sample of another metric', family('a', 'gauge', 'b 1')],
  ['a quote in a label', family('a', 'gauge', 'a{x="b"c"} 1')],
  ['no number', family('a', 'gauge', 'a one')],
  ['a counter below 0', family('a_total', 'counter', 'a_total -1')],
  [
    'buckets that shrink',
    family('a', 'histogram', 'a_bucket{le="1"} 3\na_bucket{le="+Inf"} 2\na_sum 1\na_count 2'),
  ],
  ['buckets without an end', family('a', 'histogram', 'a_bucket{le="1"} 2\na_sum 1\na_count 2')],
  ['no end of the last line', family('a', 'gauge', 'a 1').trimEnd()],
])('finds %s', (_, text) => {
  expect(lintMetrics(text).problems).not.toEqual([]);
});
