import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { People } from '../../../src/views/people.ts';
import { desk } from '../../helpers/callsheet.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { callPayloads, PAYLOAD_CAMPAIGN } from '../../helpers/services/payload-campaign.ts';
import { XSS_CELLS, XSS_PAYLOADS } from '../../helpers/xss-payloads.ts';

let console: TestConsole;
let stopService: () => void;
/** Every person's story as the API answered it. */
const stories: string[] = [];
beforeAll(async () => {
  const here = desk({}, afterAll);
  const { ended, close } = await callPayloads(here);
  stopService = close;
  expect(ended.err).toContain('Every lead is final.');
  here.write('plain.csv', 'name,phone\nAnn,+12125550101\n');
  const plain = await here.run(
    ['run', 'plain.csv', '--service', 'simulated', '--set', 'polling.floor=20ms'],
    {},
  );
  expect(plain).toMatchObject({ code: 0 });
  console = await startTestConsole({
    folder: here.cwd,
    io: { env: { VOICE_API_KEY: 'key-of-the-hostile-service' } },
    services: 'services.yaml',
  });
}, 60_000);
afterAll(async () => {
  await console.close();
  stopService();
});

const at = `/api/v1/campaigns/${encodeURIComponent(PAYLOAD_CAMPAIGN)}`;

describe('what strangers wrote', () => {
  it('is a list of more than sixty different attacks', () => {
    expect(new Set(XSS_PAYLOADS).size).toBe(XSS_PAYLOADS.length);
    expect(XSS_PAYLOADS.length).toBeGreaterThanOrEqual(60);
  });

  it('comes over the API as JSON, which no browser takes for a page', async () => {
    const { items } = await console.json<People>('GET', `${at}/people?limit=200`);
    const paths = [
      '/api/v1/campaigns',
      at,
      `${at}/people?limit=200`,
      `${at}/filters`,
      `${at}/summary`,
      `${at}/nights`,
      `${at}/columns`,
      `${at}/doubts`,
      '/api/v1/services/hostile/agents',
      '/api/v1/inbox?limit=200',
      '/api/v1/inbox/dlv_0',
      '/api/v1/schedule',
      '/api/v1/campaigns',
      '/api/v1/jobs',
      '/api/v1/suppression',
      ...items.map(({ id }) => `${at}/people/${id}`),
      // Names that are echoed in refusals.
      ...XSS_PAYLOADS.filter((text) => text.length < 150).map((text, n) => {
        const part = encodeURIComponent(text);
        const echoing = [
          `/api/v1/campaigns/${part}`,
          `${at}/people?text=${part}`,
          `${at}/results?columns=${part}`,
          `/api/v1/rules/${part}`,
          `/api/v1/jobs/${part}`,
          `/${part}`,
        ];
        return echoing[n % echoing.length] ?? '';
      }),
    ];
    for (const path of paths) {
      const answer = await console.ask('GET', path);
      const type = answer.headers.get('content-type');
      const isJson = /^application\/(problem\+)?json(; charset=utf-8)?$/.test(type ?? '');
      expect({ path, type, isJson }).toEqual({ path, type, isJson: true });
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const text = await answer.text();
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      if (path.startsWith(`${at}/people/`)) stories.push(text);
    }
  });

  it('is in every cell, transcript, agent and error as it was written, so that it was tried', async () => {
    const { items } = await console.json<People>('GET', `${at}/people?limit=200`);
    expect(items).toHaveLength(XSS_CELLS.length);
    const cells = items.filter(({ cells }) => XSS_PAYLOADS.includes(cells[2] ?? ''));
    expect(cells.length).toBeGreaterThan(100);
    expect(stories).toHaveLength(items.length);
    const agents = await console.json<{ items: { name: string }[] }>(
      'GET',
      '/api/v1/services/hostile/agents',
    );
    expect(agents.items.filter(({ name }) => XSS_PAYLOADS.includes(name)).length).toBeGreaterThan(
      100,
    );
    const told = JSON.stringify(stories.map((text) => JSON.parse(text) as unknown));
    const inStories = XSS_PAYLOADS.filter((text) =>
      told.includes(JSON.stringify(text).slice(1, -1)),
    );
    expect(inStories.length).toBeGreaterThan(100);
  });

  it('is not run in the report: it is text there, and the page may run nothing', async () => {
    const report = async (path: string) => {
      const answer = await console.ask('GET', `${path}/report?calls=500`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).toMatch(/(^|;)\s*sandbox\s*(;|$)/);
      return answer.text();
    };
    const attacked = await report(at);
    const plain = await report('/api/v1/campaigns/plain');
    const raw = XSS_PAYLOADS.filter((text) => /<[a-z!/?]/i.test(text) && attacked.includes(text));
    expect(raw).toEqual([]);
    // It was on the page: whoever looks for it finds it escaped.
    expect(attacked).toContain('&lt;script&gt;window.hit=1&lt;/script&gt;');
    expect(partsOf(attacked)).toEqual(partsOf(plain));
  });

  it('is no formula in the tables of results, in none of their kinds', async () => {
    for (const kind of [
      'results?format=csv',
      'results?format=excel',
      'captured-leads?format=csv',
    ]) {
      const answer = await console.ask('GET', `${at}/${kind}`);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w.-]+"; /,
      );
      const rows: string[][] = parse(await answer.text(), { bom: true });
      for (const cell of rows.flat()) {
        const isNumber = /^[+-]?[\d\s().-]+$/.test(cell);
        expect({ cell: cell.slice(0, 80), isRun: !isNumber && /^[=+\-@\t\r]/.test(cell) }).toEqual({
          cell: cell.slice(0, 80),
          isRun: false,
        });
      }
    }
  });

  it('is no formula in the rows that are given back to be mended', async () => {
    const cells = XSS_CELLS.filter((cell) => /^[=+\-@\t]/.test(cell));
    const rows = ['name,phone', ...cells.map((cell) => `"${cell.replaceAll('"', '""')}",12`)];
    const sent = await fetch(
      `${console.url}/api/v1/uploads?name=${encodeURIComponent('=cmd.csv')}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${console.tokens.operator ?? ''}` },
        body: [...rows, 'Ann,+12125550101'].join('\n'),
      },
    );
    const { id: upload } = (await sent.json()) as { id: string };
    const begun = await console.json<{ name: string }>('POST', '/api/v1/campaigns', {
      uploads: [upload],
    });
    const name = encodeURIComponent(begun.name);
    const list = encodeURIComponent('=cmd.csv');
    const answer = await console.ask('GET', `/api/v1/campaigns/${name}/rejects?list=${list}`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/);
    const given: string[][] = parse(await answer.text());
    expect(given.length).toBeGreaterThan(cells.length);
    expect(given.flat().filter((cell) => /^[=@\t]|^[+-]\D/.test(cell))).toEqual([]);
  });
});

/** The names of elements and attributes of a page, each once. */
function partsOf(html: string): string[] {
  const tags = html.replaceAll(/<style>[^]*?<\/style>/g, '').match(/<[!/?a-z][^>]*>/gi) ?? [];
  const names = tags.flatMap((tag) => {
    const [name = ''] = /^<[!/?]?[\w-]+/.exec(tag) ?? [];
    const attributes = [...tag.matchAll(/\s([\w:-]+)(?:=("[^"]*"|[^\s>]*))?/g)];
    return attributes.map(([, attribute = '']) => `${name} ${attribute}`).concat(name);
  });
  return [...new Set(names)].toSorted();
}
