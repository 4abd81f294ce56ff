import { readdirSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { desk, type Desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { HOSTILE, INNOCENT } from '../../helpers/files/hostile-cells.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { cellsAsSplit, READERS, runs } from '../../helpers/files/spreadsheet.ts';

const ALL = [...HOSTILE, ...INNOCENT];
const SET = ['--agent', AGENT, '--concurrency', '50', '--set', 'polling.floor=20ms'];
/** The name of a column is a cell, too. */
const COLUMN = '=1+1';

function csv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** A list with each cell in a row of its own, and the last row without a number; it was called. */
async function aCalledList(): Promise<Desk> {
  const service = await simulatedService({ fixedCallMs: 20, timeScale: 1 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  const rows = ALL.map((text, n) => [text, aPhone(n), 'end']);
  at.write('leads.csv', csv([[COLUMN, 'phone', 'last'], ...rows, ['=1+1;=2', 'none', '@SUM(1)']]));
  expect(await at.run(['run', 'leads.csv', ...SET, '--map', 'ignore=#1'])).toMatchObject({
    code: 0,
  });
  for (const format of ['csv', 'excel', 'xlsx', 'jsonl']) {
    const argv = ['export', 'leads', '--format', format, '-o', `out.${format}`];
    expect(await at.run(argv)).toMatchObject({ code: 0 });
  }
  return at;
}

/** The list's own cells as they stand in the database. */
function own(jsonLines: string): string[] {
  const lines = jsonLines.trimEnd().split('\n');
  return lines.map(
    (line) => (JSON.parse(line) as { lead: Record<string, string> }).lead[COLUMN] ?? '',
  );
}

describe('the cells of a list', () => {
  it('leave as they came, none of them is run by a spreadsheet, and the file comes back with the same', async () => {
    const at = await aCalledList();
    expect(own(at.read('out.jsonl'))).toEqual(ALL);

    const sheet = (await readSheet(at.path('out.xlsx'), { trim: false })) as (string | null)[][];
    expect(sheet.slice(1).map((row) => row[0])).toEqual(ALL);

    const [rejects = ''] = readdirSync(at.path('data/rejects'));
    for (const text of [
      at.read('out.csv'),
      at.read('out.excel'),
      at.read(`data/rejects/${rejects}`),
    ]) {
      for (const [reader, separators] of Object.entries(READERS)) {
        const run = cellsAsSplit(text, separators).filter(runs);
        expect(run, reader).toEqual([]);
      }
    }

    const asCrm = (text: string) =>
      parse(text, { bom: true, relax_column_count: true })
        .slice(1)
        .map(([cell]) => cell);
    expect(asCrm(at.read('out.csv')).slice(HOSTILE.length)).toEqual(INNOCENT);

    for (const format of ['csv', 'excel']) {
      at.write(`again-${format}.csv`, at.read(`out.${format}`));
      const again = [
        'import',
        format,
        `again-${format}.csv`,
        '--agent',
        AGENT,
        '--map',
        'ignore=#1',
        // What a person said in a call is asked about, too, when it comes back.
        '--map',
        'ignore=call_refusal_heard',
      ];
      expect(await at.run(again)).toMatchObject({ code: 0 });
      await at.run(['export', format, '--format', 'jsonl', '-o', 'again.jsonl']);
      expect(own(at.read('again.jsonl'))).toEqual(ALL);
    }
  });
});
