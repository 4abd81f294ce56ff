import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { voiceServer } from '../../helpers/voice-server.ts';

describe('doctor', () => {
  it('finds everything in order, and says what it looked at', async () => {
    const service = await voiceServer();
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
    const fresh = await at.run(['doctor']);
    expect(fresh.code).toBe(0);
    expect(fresh.out).toMatch(/^WHAT +OK +DETAIL\nnode +yes +v\d+/);
    expect(fresh.out).toMatch(/database +yes +\S+callsheet\.db does not exist yet\n/);
    expect(fresh.out).toMatch(/service +yes +\S+ answers, the key is accepted, 1 agent\n/);
    expect(at.has('data')).toBe(false);
    at.write('leads.csv', 'phone\n+12125550100\n');
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    const { out } = await at.run(['doctor', '--json']);
    const findings = JSON.parse(out) as { what: string; ok: boolean; detail: string }[];
    expect(findings.map(({ what, ok }) => [what, ok])).toEqual([
      ['node', true],
      ['database', true],
      ['profile', true],
      ['service', true],
    ]);
    expect(findings[1]?.detail).toContain('settings and dial journal are in order');
  });

  it('says what is not, with the next step, and ends with its exit code', async () => {
    const at = desk();
    at.write('calls.db', 'no database at all'.repeat(100));
    const { code, out } = await at.run(['doctor', '--db', 'calls.db']);
    expect(code).toBe(2);
    expect(out).toMatch(/database +NO +\S+calls\.db is not an SQLite database .* Next: /);
    expect(out).toMatch(/service +NO +No service is given: .* Next: /);
  });
});
