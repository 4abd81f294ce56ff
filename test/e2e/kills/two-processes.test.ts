import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/runtime/files.ts';
import type { LedgerEntry } from '../../../src/simulator/server.ts';
import { desk, rowsOf, type Desk } from '../../helpers/callsheet.ts';
import { AGENT, ledgerAt, rangTwice } from '../../helpers/services/simulated-service.ts';
import { spawnCallsheet, type Process } from '../../helpers/compiled-program.ts';

const KEY = 'demo';
const GOOD_ROWS = 53;
const BAD_ROWS = 7;
const CONCURRENCY = 30;

const startSimulate = async (at: Desk): Promise<{ service: Process; url: string }> => {
  const flags = ['--port', '0', '--key', KEY, '--time-scale', '4000', '--seed', '7'];
  const service = spawnCallsheet(at, ['simulate', ...flags]);
  await service.written('Stop it with Ctrl-C.');
  return { service, url: service.output.out.trim() };
};

const sampleDesk = (): Desk => {
  const at = desk({ VOICE_API_KEY: KEY });
  mkdirSync(join(at.cwd, 'data/samples'), { recursive: true });
  copyFileSync(join(packageRoot(), 'data/samples/leads.csv'), at.path('data/samples/leads.csv'));
  return at;
};

/** A row of the results as the ledger tells the same call. */
const asInLedger = ({ phone_number, rings }: LedgerEntry) => ({
  call_phone: phone_number,
  call_id: rings[0]?.call_id,
  call_duration_seconds: String(rings[0]?.duration),
  call_sentiment: rings[0]?.sentiment?.label ?? '',
  call_transcript: rings[0]?.transcript,
});

describe('run, against callsheet simulate in another process', () => {
  it('calls every good number once, agrees with the ledger row by row, and calls nobody again', async () => {
    const at = sampleDesk();
    const { service, url } = await startSimulate(at);
    const argv = [
      ...['run', 'data/samples/leads.csv', '--agent', AGENT, '--service-url', url],
      ...['--rules', 'always', '--country', 'US', '-o', 'out.csv'],
      ...['--concurrency', String(CONCURRENCY), '--set', 'polling.floor=50ms'],
    ];
    const first = await spawnCallsheet(at, argv).ended;
    expect(first.err).toContain('Every lead is final.');
    expect(first.code).toBe(0);

    const ledger = await ledgerAt(url, KEY);
    expect(ledger.calls).toBe(GOOD_ROWS);
    expect(ledger.numbers).toHaveLength(GOOD_ROWS);
    expect(rangTwice(ledger.numbers)).toEqual([]);
    expect(ledger.peak).toBeGreaterThan(1);
    expect(ledger.peak).toBeLessThanOrEqual(CONCURRENCY);

    const rows = rowsOf(at.read('out.csv'));
    expect(rows).toHaveLength(GOOD_ROWS);
    const byPhone = new Map(ledger.numbers.map((entry) => [entry.phone_number, entry]));
    for (const row of rows) {
      const entry = byPhone.get(row['call_phone'] ?? '');
      expect(entry).toBeDefined();
      if (entry !== undefined) expect(row).toMatchObject(asInLedger(entry));
    }
    const rejects = /Rows not taken are in (\S+);/.exec(first.err)?.[1] ?? '';
    expect(rowsOf(at.read(rejects.slice(at.cwd.length + 1)))).toHaveLength(BAD_ROWS);

    const before = at.read('out.csv');
    const again = await at.run(argv);
    expect(again).toMatchObject({ code: 0, out: '' });
    expect(again.err).toContain('0 to call now, 53 done already');
    expect((await ledgerAt(url, KEY)).calls).toBe(GOOD_ROWS);
    expect(at.read('out.csv')).toBe(before);

    service.kill('SIGINT');
    expect((await service.ended).code).toBe(0);
  });
});
