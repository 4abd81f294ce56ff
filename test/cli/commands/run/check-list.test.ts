import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { contentsOf } from '../../../helpers/files/folder-contents.ts';
import { LIVE } from '../../../helpers/services/live-service.ts';

const LIST = 'Name,Phone\nAl,+12125550100\nBo,212-555-0101\nCy,n/a\nDi,+12125550100\n';

/** A folder with a list, and neither service nor key nor database. */
function aFolder(env = {}) {
  const at = desk(env);
  at.write('leads.csv', LIST);
  // A connection would throw: nobody may be asked.
  const connect = async () => Promise.reject(new Error('no network'));
  return {
    at,
    check: (argv: string[] = []) => at.run(['check', 'leads.csv', ...argv], { connect }),
  };
}

describe('check of a list without service and agent', () => {
  it('shows columns with samples, counts, what is rejected, and what is still missing to call it', async () => {
    const { at, check } = aFolder();
    const before = contentsOf(at.cwd);
    const { code, out, err } = await check();
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('leads.csv: 4 rows, 1 good, 2 rejected, 1 duplicate.');
    expect(err).toContain('numbers from "Phone" ("+12125550100", "212-555-0101", "n/a").');
    expect(err).toContain('line 4: ');
    expect(err).toContain(`1 to call. To call them, this is still needed:
  --service NAME: of campaigns/services.yaml (simulated), or --service-url URL
  --agent ID: who speaks; \`npx callsheet agents list --service NAME\` shows them
  --country CC: 1 row has a number without + and country code, e.g. --country US
\`npx callsheet run leads.csv --service simulated\` rehearses it: nobody is called.
Nobody was called, nothing was written.
`);
    expect(contentsOf(at.cwd)).toEqual(before);
  });

  it('names less and less as more is given, the key too', async () => {
    const { at, check } = aFolder();
    at.write('services.yaml', `main: { url: ${LIVE}, keyEnv: MAIN_KEY }\n`);
    const given = ['--services', 'services.yaml', '--service', 'main', '--country', 'US'];
    const { code, err } = await check(given);
    expect(code).toBe(0);
    expect(err).toContain('  the key: The key of service main: MAIN_KEY is empty or not set.');
    expect(err).toContain('`npx callsheet agents list --service main --services services.yaml`');
    expect(err).not.toContain('--country CC');
    const { out } = await check([...given, '--agent', 'ag_1', '--rules', 'always', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      campaign: 'leads',
      callNow: 2,
      lists: [{ rows: 4, good: 2 }],
      service: null,
      missing: [{ give: 'the key' }],
    });
  });

  it('knows who is suppressed where there is a database', async () => {
    const { at, check } = aFolder();
    await at.run(['suppress', 'add', '+12125550100', '--db', 'data/callsheet.db']);
    const before = contentsOf(at.cwd);
    const { code, err } = await check(['--country', 'US']);
    expect(code).toBe(0);
    expect(err).toContain('1 suppressed.');
    expect(err).toContain('1 to call.');
    expect(contentsOf(at.cwd)).toEqual(before);
  });

  it('of a list that nobody can be called from shows why before it is refused', async () => {
    const { at, check } = aFolder();
    at.write('leads.csv', 'phone\nn/a\n');
    const { code, err } = await check();
    expect(code).toBe(2);
    expect(err).toMatch(/leads\.csv: 1 row, 0 good, 1 rejected\.[^]*none of 1 row has a number/);
  });
});
