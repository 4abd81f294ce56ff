import { join } from 'node:path';
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Campaign, CapturedLead } from '../../src/store/port.ts';
import { writeCapturedLeads } from '../../src/results/write.ts';
import { START } from '../helpers/clock.ts';
import { aCampaign, aPhone } from '../helpers/factory.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const campaign: Campaign = {
  ...aCampaign(),
  state: 'running',
  pauseReason: null,
  pauseDetail: null,
  version: 1,
};

function storeOf(leads: Record<string, unknown>[]) {
  const all = leads.map((fields, n): CapturedLead => ({
    cursor: String(n + 1),
    phone: aPhone(n),
    callId: `call_${n}`,
    attemptId: `a${n}`,
    service: 'main',
    capturedAt: START,
    signed: n % 2 === 0,
    fields,
  }));
  return {
    capturedLeads: async (_: string, after: string | null, limit: number) =>
      all.slice(Number(after ?? 0), Number(after ?? 0) + limit),
  };
}

async function written(leads: Record<string, unknown>[], format: 'csv' | 'excel' | 'jsonl') {
  const to = join(tempFolder(), 'captured');
  const { rows } = await writeCapturedLeads({ store: storeOf(leads), campaign, to, format });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  return { rows, lines: readFileSync(to, 'utf8').trimEnd().split(/\r?\n/) };
}

describe('captured leads as a table of their own', () => {
  it('have a row each and a column for every field that any of them has', async () => {
    const leads = [
      { name: 'Ada', budget: 12 },
      { name: '=1+1', tags: ['a', 'b'], ok: null },
    ];

    const { rows, lines } = await written(leads, 'csv');

    expect(rows).toBe(2);
    expect(lines[0]).toBe(
      'captured_at,captured_signed,call_phone,call_id,call_campaign,call_service,name,budget,tags,ok',
    );
    expect(lines[1]).toMatch(/,yes,\+12005550100,call_0,spring,main,Ada,12,,$/);
    expect(lines[2]).toContain(`,no,+12005550101,call_1,spring,main,'=1+1,,"[""a"",""b""]",`);
  });

  it('are complete over several pages, and as JSON with their fields as they came', async () => {
    const leads = Array.from({ length: 1_201 }, (_, n) => ({ n, nested: { deep: [n] } }));

    const { rows, lines } = await written(leads, 'jsonl');

    expect(rows).toBe(1_201);
    expect(JSON.parse(lines[1_200] ?? '')).toMatchObject({
      captured_signed: 'yes',
      call_id: 'call_1200',
      fields: { n: 1_200, nested: { deep: [1_200] } },
    });
  });

  it('are an empty table where none was captured', async () => {
    expect(await written([], 'excel')).toMatchObject({ rows: 0, lines: [expect.anything()] });
  });

  it('are cut with a mark in excel where a spreadsheet would cut them, and nowhere else', async () => {
    const note = 'x'.repeat(32_768);
    const { lines } = await written([{ note }], 'excel');
    expect(lines[1]).toContain('x … [cut: ');
    expect((await written([{ note }], 'csv')).lines[1]).toContain(note);
  });
});
