import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../helpers/callsheet.ts';
import { hastyClock } from '../../../helpers/hasty-clock.ts';
import { aDesk, NOT_YET, oneOpen, PHONES, RUN, listed } from '../desk.ts';

describe('run', () => {
  it('says in JSON how it ended, and tells its progress in lines', async () => {
    const { at } = await aDesk();
    const { code, out, err } = await at.run([...RUN, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ...{ campaign: 'leads', state: 'completed', total: 3, waiting: 0, calling: 0, unknown: 0 },
      ...{ done: 3, results: { answered: 3 }, held: 0, open: 0, doubts: 0 },
      ...{ answered: 3, lastCallAt: expect.any(String) as string },
      dials: { made: 3, refused: 0, inDoubt: 0, notMade: 0 },
      ...{ exitCode: 0, why: 'Every lead is final.', nextDueAt: null, nextAt: null },
      resultsFile: at.path('data/results/leads.csv'),
    });
    expect(err).toMatch(/\n0 done, 0 in progress, 3 waiting\n/);
    expect(err).toMatch(/\n3 done, 0 in progress, 0 waiting\n/);
    expect(err).toMatch(/Results: \S+leads\.csv \(3 rows\)\nEvery lead is final\.\n$/);
  });

  it('draws a bar on a terminal, and leaves the cursor on', async () => {
    const { at } = await aDesk();
    const { code, err } = await at.run(RUN, { typed: '' });
    expect(code).toBe(0);
    expect(err).toMatch(/ 0% 0 done, 0 in progress, 3 waiting/);
    // The bar is cleared away, and its last line stays as text.
    expect(err).toContain('\u001b[2K3 done, 0 in progress, 0 waiting\n');
    expect(err.lastIndexOf('\u001b[?25h')).toBeGreaterThan(err.lastIndexOf('\u001b[?25l'));
  });

  it('lets sentences stand on lines of their own beside the bar, also when it is left', async () => {
    const { at } = await aDesk(NOT_YET);
    const { io, ended } = at.begin([...RUN, '--limit', '1'], {
      stdinIsTty: true,
      stderrIsTty: true,
    });
    await io.written('3 waiting');
    await oneOpen(at);
    io.signal();
    await io.written('\u001b[2KStopping: no new call is started;');
    io.signal();
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toMatch(/\nLeft at once\. Nothing is lost: .* brings in 1 open\scall\.\n$/);
    expect(err.lastIndexOf('\u001b[?25h')).toBeGreaterThan(err.lastIndexOf('\u001b[?25l'));
  });

  it('of a campaign file does the same, with its own name and settings', async () => {
    const { at, service } = await aDesk();
    at.write(
      'spring.yaml',
      `name: spring renewals\nagent: ag_1\nleads: leads.csv\nconcurrency: 2\nresults: { file: out/spring.jsonl, format: jsonl }\nservice: { url: ${service.url} }\npolling: { floor: 20ms }\n`,
    );
    const { code, err } = await at.run(['run', 'spring.yaml']);
    expect(code).toBe(0);
    expect(err).toContain("npx callsheet import 'spring renewals' ");
    expect(at.read('out/spring.jsonl').trim().split('\n')).toHaveLength(3);
    expect(service.dialled.toSorted()).toEqual(PHONES);
    const all = await listed(at);
    expect(all).toMatchObject([{ name: 'spring renewals', concurrency: 2 }]);
  });

  it('writes results to stdout with -o -, and nothing else there', async () => {
    const { at } = await aDesk();
    const { out } = await at.run([...RUN, '-o', '-', '--json']);
    expect(rowsOf(out).map((row) => row['name'])).toEqual(['Al', 'Bo', 'Cy']);
  });

  it('that may not read with its key ends with exit code 4, its calls still open', async () => {
    const { at, service } = await aDesk({ analytics: () => ({ status: 401, body: 'no' }) });
    const { code, err } = await at.run(RUN, { clock: hastyClock(20) });
    expect(code).toBe(4);
    expect(err).toContain('The service refused the key: calls cannot be read.');
    expect(err).toMatch(/calls? (is|are) still open; `npx callsheet collect leads` brings/);
    service.behave({});
    expect((await at.run(['run', 'leads'])).code).toBe(0);
    expect(service.dialled.toSorted()).toEqual(PHONES);
  });
});
