import { plan } from '../../src/views/plan.ts';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { marks } from '../../src/views/fields.ts';
import { job } from '../../src/views/jobs.ts';
import { sentLists, uploads } from '../../src/views/lists.ts';
import { masking } from '../../src/views/masking.ts';

const NUMBER = '+12125550143';

/** Where a schema has text that nobody masks and that is no choice, moment or other fixed form. */
function plainTexts(schema: z.core.$ZodType, at = ''): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (marks.get(schema)?.masked !== undefined) return [];
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([key, one]) => plainTexts(one, `${at}.${key}`));
  if (def.type === 'array') return plainTexts(def.element, `${at}[]`);
  if (def.type === 'record') return plainTexts(def.valueType, `${at}{}`);
  if (def.type === 'union') return def.options.flatMap((one) => plainTexts(one, at));
  if (def.type === 'nullable' || def.type === 'optional') return plainTexts(def.innerType, at);
  return def.type === 'string' && !('format' in def) ? [at] : [];
}

/** Each once, in order. */
const plainOf = (schema: z.core.$ZodType) => [...new Set(plainTexts(schema))].toSorted();

describe('of lists that were sent and of jobs', () => {
  it('cells, samples, headers and sentences are masked', () => {
    const column = { column: '#1', header: NUMBER, samples: [NUMBER], frequent: `${NUMBER} 2` };
    const list = { name: 'leads.csv', columns: [column], warnings: [NUMBER] };
    const row = { line: 2, cells: ['Ann', NUMBER], why: `"${NUMBER}" is no number` };
    const surveyed = { headers: [NUMBER], notes: [NUMBER], reasons: [{ rows: [row] }] };
    const survey = { kind: 'survey', about: 'leads', result: { lists: [surveyed], good: 0 } };
    const said = { messages: [{ text: NUMBER }], question: { text: NUMBER }, problem: null };
    for (const [schema, value] of [
      [sentLists, { lists: [list] }],
      [job, { ...survey, ...said }],
    ] as const)
      expect(JSON.stringify(masking(schema)?.(value))).not.toContain(NUMBER);
  });

  it('only names, places and words of callsheet or of a campaign are not', () => {
    expect(plainOf(uploads)).toEqual(['.items[].id', '.next']);
    expect(plainOf(sentLists)).toEqual([
      ...['.lists[].columns[].column', '.lists[].delimiter', '.lists[].encoding', '.lists[].list'],
      ...['.lists[].problem.code', '.lists[].reading.delimiter', '.lists[].reading.encoding'],
      ...['.lists[].reading.sheet', '.lists[].sheet', '.lists[].sheets[].name'],
      '.meanings[].text',
    ]);
    const jobs = job.options.filter(({ shape }) => shape.kind.value !== 'plan');
    expect([...new Set(jobs.flatMap(plainOf))].toSorted()).toEqual([
      ...['.id', '.problem.code', '.problem.field', '.problem.title', '.problem.type'],
      ...['.result.ahead.days[].date', '.result.ahead.schedule', '.result.ahead.timezone'],
      ...['.result.campaign', '.result.country', '.result.findings[].what', '.result.holds[].by'],
      ...['.result.lists[].examples[].code', '.result.lists[].list.importer.host'],
      ...['.result.lists[].reasons[].code', '.result.nights[].night'],
      ...['.result.refused[].attempt', '.result.seed', '.result.service'],
      ...[
        '.result.settled[].attempt',
        '.result.shut[].by',
        '.result.shut[].zones[]',
        '.result.timezone',
      ],
      '.who',
    ]);
    const amounts = ['currency', 'high', 'low', 'middle'].map((key) => `.forecast.costs[].${key}`);
    expect(plainOf(plan)).toEqual([
      ...['.database.path', '.duties[].by', '.duties[].duty', '.duties[].source'],
      ...['.forecast.byNight[].night', ...amounts, '.hours.next.by', '.hours.next.zoneKey'],
      ...['.hours.shut[].by', '.hours.shut[].zones[]', '.lists[].examples[].code'],
      ...['.missing[].give', '.request.method', '.schedule', '.service.name', '.service.url'],
      '.variables.sent[].field',
    ]);
  });
});
