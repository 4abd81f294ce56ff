import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundOf } from '../../../src/leads/read/row.ts';
import type { SentLists } from '../../../src/views/lists.ts';
import type { Job } from '../../../src/views/jobs.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { startTestConsole, type TestConsole } from '../../helpers/console.ts';
import { gzipBomb, packedBomb } from '../../helpers/files/bombs.ts';
import { rowsXml, textCell, workbookFile } from '../../helpers/files/workbook-file.ts';
import { zipFile } from '../../helpers/files/zip-file.ts';
import { answerOf, openSocket, requestText } from '../../helpers/requests/raw-http.ts';

let console: TestConsole;
afterEach(async () => {
  await console.close();
});

/** What a bomb unpacks to: much more than the most memory that one may take. */
const BOMB_BYTES = 0.25e9;
type SentBody = string | Uint8Array<ArrayBuffer>;
const MOST_MEMORY = 140e6;

/** Begins to watch; the function returned tells by how many bytes the memory has grown at most, as far as that is known. */
function watchMemory(): () => number {
  const before = process.memoryUsage().rss;
  const highest = process.resourceUsage().maxRSS;
  return () => {
    const now = process.resourceUsage().maxRSS;
    // Where it was higher before, only what is left can be told.
    return (now > highest ? now * 1_024 : process.memoryUsage().rss) - before;
  };
}

const authorization = () => `Bearer ${console.tokens.operator ?? ''}`;
const send = (name: string, body: SentBody) =>
  fetch(`${console.url}/api/v1/uploads?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: authorization() },
    body,
  });
const sent = async (name: string, body: SentBody) =>
  (await (await send(name, body)).json()) as { id: string; name: string };
const folder = () => join(console.folder, 'data', 'uploads');
const kept = () => (existsSync(folder()) ? readdirSync(folder()).toSorted() : []);

/** The address of a campaign that is begun with a list. */
async function begin(upload: string) {
  const body = { uploads: [upload] };
  const { name } = await console.json<{ name: string }>('POST', '/api/v1/campaigns', body);
  return `/api/v1/campaigns/${name}`;
}

/** What a look at a list says that is sent. */
async function lookAt(name: string, body: SentBody) {
  const { id: upload } = await sent(name, body);
  const at = await begin(upload);
  const look = await console.json<SentLists>('GET', `${at}/lists/sent`);
  return { at, problem: look.lists[0]?.problem };
}

/** The same, and what becomes of it when it is imported. */
async function tryList(name: string, body: SentBody) {
  const { at, problem: seen } = await lookAt(name, body);
  await console.json('PATCH', `${at}/settings`, { set: { service: 'simulated' } });
  const started = await console.json<Job>('POST', `${at}/import`, {});
  const { state, problem } = await console.jobEnd(started.id);
  await console.json('DELETE', at);
  return { problem: seen, state, started: problem };
}

describe('a small file that unpacks to hundreds of times its size', () => {
  const rows = rowsXml([[textCell('phone')], [textCell('+12125550101')]]);
  const refused = { code: 'LIST_UNREADABLE' };

  beforeEach(async () => {
    console = await startTestConsole();
  });

  const tryBomb = async (name: string, bomb: Buffer) => {
    expect(bomb.length).toBeLessThan(25e6);
    const memory = watchMemory();
    const { problem, state, started } = await tryList(name, new Uint8Array(bomb));
    expect(problem).toMatchObject(refused);
    expect([state, started]).toMatchObject(['failed', refused]);
    expect(memory()).toBeLessThan(MOST_MEMORY);
    expect(kept()).toEqual([]);
  };

  /** All lists are imported as they are looked at. */
  const lookAtBomb = async (name: string, bomb: Buffer) => {
    const memory = watchMemory();
    expect((await lookAt(name, new Uint8Array(bomb))).problem).toMatchObject(refused);
    expect(memory()).toBeLessThan(MOST_MEMORY);
  };

  it('as the sheet of a workbook is refused', async () => {
    const sheet = await packedBomb(`<worksheet><sheetData>${rows}`, ' ', BOMB_BYTES);
    const change = (parts: Record<string, string>) => ({
      ...parts,
      'xl/worksheets/sheet1.xml': sheet,
    });
    await tryBomb('leads.xlsx', workbookFile({ sheets: [{ rows }], change }));
  });

  it('as the shared texts of a workbook is refused', async () => {
    const texts = await packedBomb('<sst>', `<si><t>${'a'.repeat(5_000)}</t></si>`, BOMB_BYTES / 4);
    const change = (parts: Record<string, string>) => ({ ...parts, 'xl/sharedStrings.xml': texts });
    const shared = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
    const bomb = workbookFile({ sheets: [{ rows: shared }], texts: '', change });
    // These are parsed until it is known to be a bomb: longer where it is larger.
    await tryBomb('leads.xlsx', bomb);
  });

  it('as any other part of a workbook is refused', async () => {
    const book = await packedBomb('<workbook><sheets>', '<!-- x -->', BOMB_BYTES);
    const change = (parts: Record<string, string>) => ({ ...parts, 'xl/workbook.xml': book });
    await tryBomb('leads.xlsx', workbookFile({ sheets: [{ rows }], change }));
  });

  it('as a packed list of one line is refused', async () => {
    await lookAtBomb('leads.csv.gz', gzipBomb('phone\n+12125550101,', 'a', BOMB_BYTES));
    const list = await packedBomb('phone\n+12125550101,', 'a', BOMB_BYTES);
    await lookAtBomb('leads.zip', zipFile({ 'leads.csv': list }));
  });

  it('as a packed list of a quote that does not end, or of zeros, is refused', async () => {
    await lookAtBomb('leads.csv.gz', gzipBomb('phone\n"+12125550101\n', 'a\n', BOMB_BYTES));
    await lookAtBomb('leads.csv.gz', gzipBomb('phone\n', '\u0000', BOMB_BYTES));
  });
});

describe('a list of one line of 100 MB', () => {
  it('is refused, and does not stand in memory', async () => {
    console = await startTestConsole({ mostUploadBytes: 200e6 });
    const piece = new TextEncoder().encode('x'.repeat(1_000_000));
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (to) => {
        if (pieces++ === 100) to.close();
        else to.enqueue(piece);
      },
    });
    const memory = watchMemory();
    const answer = await fetch(`${console.url}/api/v1/uploads?name=line.csv`, {
      method: 'POST',
      headers: { authorization: authorization() },
      body,
      duplex: 'half',
    });
    const { id: upload } = (await answer.json()) as { id: string };
    const look = await console.json<SentLists>('GET', `${await begin(upload)}/lists/sent`);
    expect(look.lists[0]?.problem).toMatchObject({ code: 'LIST_UNREADABLE' });
    expect(memory()).toBeLessThan(MOST_MEMORY / 2);
  });
});

describe('uploads', () => {
  it('come two hundred at once, each whole and readable by nobody else', async () => {
    console = await startTestConsole();
    const bytes = (n: number) =>
      `phone\n${`+1212555${String(n).padStart(4, '0')}\n`.repeat(1_000)}`;
    const all = await Promise.all(
      Array.from({ length: 200 }, (_, n) => sent('leads.csv', bytes(n))),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(200);
    expect(kept()).toEqual(all.map(({ id }) => id).toSorted());
    const others = all.filter(({ id }, n) => {
      const path = join(folder(), id, 'leads.csv');
      const modes = [statSync(path).mode & 0o777, statSync(join(folder(), id)).mode & 0o777];
      return readFileSync(path, 'latin1') !== bytes(n) || modes.join() !== [0o600, 0o700].join();
    });
    expect(others).toEqual([]);
  });

  it('are deleted after a day, and not before; those of a draft stay', async () => {
    const clock = new VirtualClock();
    console = await startTestConsole({ io: { clock } });
    const { id: loose } = await sent('loose.csv', 'phone\n');
    const { id: used } = await sent('used.csv', 'phone\n');
    await begin(used);
    await clock.advance(23 * 3_600_000);
    expect(kept()).toEqual([loose, used].toSorted());
    while (kept().length > 1) await clock.advance(3_600_000);
    await clock.advance(48 * 3_600_000);
    expect(kept()).toEqual([used]);
    expect(await console.json('GET', '/api/v1/uploads')).toMatchObject({ items: [] });
  });

  it('of 100 million rows is read for a bounded time, and refused by its rows', async () => {
    console = await startTestConsole();
    const member = gzipSync('x\n'.repeat(1_000_000));
    const all = Buffer.concat([gzipSync('phone\n'), ...Array<Buffer>(100).fill(member)]);
    const { at } = await lookAt('endless.csv.gz', new Uint8Array(all));
    const { lists } = await console.json<SentLists>('GET', `${at}/lists/sent`);
    expect(lists).toMatchObject([{ rows: null, problem: null }]);
    expect(lists[0]?.warnings).toEqual([
      expect.stringMatching(/^only the first 1,0\d\d,\d{3} rows/),
    ]);
    // To read on would take a minute; it ends then.
    const isEnough = boundOf('endless.csv.gz');
    expect(isEnough(3_000_000)).toBe(false);
    expect(() => isEnough(3_000_001)).toThrow('endless.csv.gz has more than 3,000,000 rows');
  });

  it('of somebody who may not, or to another name, are not written at all', async () => {
    console = await startTestConsole();
    const asked = [
      { authorization: null },
      { authorization: `Bearer ${console.tokens.viewer ?? ''}` },
      { authorization: authorization(), host: 'rebound.example' },
    ];
    for (const headers of asked) {
      const socket = openSocket(console.url);
      const size = { 'content-length': '1000000' };
      socket.write(
        requestText(console.url, 'PUT', '/api/v1/uploads', { ...headers, ...size }, 'phone\n'),
      );
      const { status } = await answerOf(socket);
      expect([401, 403, 421]).toContain(status);
    }
    expect(kept()).toEqual([]);
  });
});
