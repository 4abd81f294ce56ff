/** One series: a name, its labels and its value. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
/** Units that are not base units, and the words for them in names; as in promtool's lint. */
const NOT_BASE =
  /(^|_)(milliseconds?|ms|microseconds?|us|nanoseconds?|ns|minutes?|min|hours?|h|days?|weeks?|kilobytes?|kb|megabytes?|mb|gigabytes?|gb|bits?|percent|celsius_?degrees|fahrenheit)(_|$)/;
/** Units have to be written out. */
const SHORT = /(^|_)(s|sec|b|g|m|kg|cel)(_|$)/;

/**
 * Reads the text format 0.0.4 of Prometheus, and finds what `promtool check metrics` finds: mistakes of the format,
 * and names, types and units that its lint objects to.
 */
export function lintMetrics(text: string): { problems: string[]; samples: Sample[] } {
  const problems: string[] = [];
  if (!text.endsWith('\n')) problems.push('the last line does not end');
  const families = familiesOf(text, problems);
  const series = new Set<string>();
  for (const family of families) {
    problems.push(...problemsOf(family));
    for (const { name, labels } of family.samples) {
      const id = `${name}${JSON.stringify(Object.entries(labels).toSorted())}`;
      if (series.has(id)) problems.push(`${id} is there twice`);
      series.add(id);
    }
    if (family.type === 'histogram') problems.push(...problemsOfHistogram(family));
  }
  const names = families.map(({ name }) => name);
  for (const name of names)
    if (names.indexOf(name) !== names.lastIndexOf(name)) problems.push(`${name} is told twice`);
  return { problems, samples: families.flatMap(({ samples }) => samples) };
}

function familiesOf(text: string, problems: string[]): Family[] {
  const families: Family[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    const last = families.at(-1);
    if (what === 'HELP') families.push({ name, type: '', help: rest, samples: [] });
    else if (what === 'TYPE') {
      if (last?.name !== name || last.type !== '')
        problems.push(`${line} does not follow its HELP`);
      else if (last.samples.length > 0) problems.push(`${line} comes after samples`);
      else last.type = rest;
    } else if (!line.startsWith('#')) {
      const sample = sampleOf(line);
      if (sample === undefined) problems.push(`${line} is no sample`);
      else if (last === undefined || !belongs(sample.name, last))
        problems.push(`${line} has no HELP and TYPE before it`);
      else last.samples.push(sample);
    }
  }
  return families;
}

function belongs(name: string, { name: family, type }: Family): boolean {
  const endings =
    type === 'histogram'
      ? ['_bucket', '_sum', '_count']
      : type === 'summary'
        ? ['', '_sum', '_count']
        : [''];
  return endings.some((ending) => name === family + ending);
}

function sampleOf(line: string): Sample | undefined {
  const [, name = '', , inside = '', number = ''] =
    /^([^\s{]+)(\{(.*)\})? (\S+)( -?\d+)?$/.exec(line) ?? [];
  if (!NAME.test(name) || number === '') return undefined;
  const labels: Record<string, string> = {};
  let at = 0;
  while (at < inside.length) {
    LABEL.lastIndex = at;
    const [whole = '', label = '', value = ''] = LABEL.exec(inside) ?? [];
    if (whole === '' || label in labels) return undefined;
    labels[label] = value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));
    at += whole.length;
  }
  const value = number === '+Inf' ? Infinity : Number(number);
  return Number.isNaN(value) ? undefined : { name, labels, value };
}

function problemsOf({ name, type, help, samples }: Family): string[] {
  const isCounter = type === 'counter';
  const found: [boolean, string][] = [
    [!NAME.test(name) || name.includes(':'), 'is no name'],
    [name !== name.toLowerCase(), 'is not in small letters with _'],
    [help.trim() === '', 'has no help'],
    [!TYPES.includes(type) || type === 'untyped', 'has no type'],
    [isCounter !== name.endsWith('_total'), 'only and all counters end with _total'],
    [
      /_(counter|gauge|histogram|summary|count|sum|bucket)$/.test(name),
      'ends with a word of types',
    ],
    [NOT_BASE.test(name) || SHORT.test(name), 'has no base unit, written out'],
    [
      type !== 'histogram' && samples.some(({ labels }) => 'le' in labels),
      'has le, kept for histograms',
    ],
    [
      type !== 'summary' && samples.some(({ labels }) => 'quantile' in labels),
      'has quantile, kept for summaries',
    ],
    [
      samples.some(({ labels }) =>
        Object.keys(labels).some((key) => key.startsWith('__') || name.endsWith(`_by_${key}`)),
      ),
      'has a label with a wrong name',
    ],
    [isCounter && samples.some(({ value }) => value < 0), 'counts below 0'],
  ];
  return found.filter(([is]) => is).map(([, what]) => `${name} ${what}`);
}

/** Buckets grow up to +Inf, which is the count. */
function problemsOfHistogram({ name, samples }: Family): string[] {
  const of = (ending: string) => samples.filter((sample) => sample.name === name + ending);
  const buckets = of('_bucket').map(({ labels, value }) => ({ le: labels['le'], value }));
  const [count] = of('_count');
  const bounds = buckets.map(({ le }) => (le === '+Inf' ? Infinity : Number(le)));
  const grows = (some: number[], strictly: boolean) =>
    some.every(
      (each, i) => i === 0 || each > (some[i - 1] ?? 0) || (!strictly && each === some[i - 1]),
    );
  const isWhole =
    bounds.at(-1) === Infinity && buckets.at(-1)?.value === count?.value && of('_sum').length === 1;
  return grows(bounds, true) &&
    grows(
      buckets.map(({ value }) => value),
      false,
    ) &&
    isWhole
    ? []
    : [`${name} has buckets that do not add up`];
}
