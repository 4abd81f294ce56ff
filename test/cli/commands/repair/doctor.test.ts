import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FREE_FLOOR_BYTES, systemDisk } from '../../../../src/store/sqlite/file/ballast.ts';
import { desk } from '../../../helpers/callsheet.ts';
import { voiceServer } from '../../../helpers/services/voice-server.ts';
import { aDamagedDatabase } from '../../../store/sqlite/database.ts';

describe('doctor', () => {
  it('finds everything in order, and says what it looked at', async () => {
    const service = await voiceServer();
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });
    const fresh = await at.run(['doctor']);
    expect(fresh.code).toBe(0);
    expect(fresh.out).toMatch(/^WHAT +OK +DETAIL\nnode +yes +v\d+/);
    expect(fresh.out).toMatch(/database +yes +\S+callsheet\.db does not exist yet\n/);
    expect(fresh.out).toMatch(
      /disk +yes +[\d,]+ MB free, no call is started below 64 MB; no ballast yet .*; no network file system\n/,
    );
    expect(fresh.out).toMatch(
      /profile +yes +\S+voice-agent\.yaml; agents are read by items \w+, id \w+, name name\n/,
    );
    expect(fresh.out).toMatch(/service +yes +\S+ answers, the key is accepted, 1 agent\n/);
    expect(at.has('data')).toBe(false);
    at.write('leads.csv', 'phone\n+12125550100\n');
    await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
    const { out } = await at.run(['doctor', '--json']);
    const findings = JSON.parse(out) as { what: string; state: string; detail: string }[];
    expect(findings.map(({ what, state }) => [what, state === 'ok'])).toEqual([
      ['node', true],
      ['home', true],
      ['database', true],
      ['disk', true],
      ['time zones', true],
      ['holidays', true],
      ['notices', true],
      ['profile', true],
      ['service', true],
    ]);
    expect(findings[2]?.detail).toContain(
      'settings and dial journal are in order, quick check finds no damage',
    );
    expect(findings[3]?.detail).toContain('the ballast is in place');
  });

  it('says who is in the file of users and tokens, and that nobody else may read it', async () => {
    const at = desk();
    await at.run(['tokens', 'add', 'crm', '--role', 'viewer']);
    const line = async () => {
      const { out } = await at.run(['doctor', '--service', 'simulated']);
      return /^console .*$/m.exec(out)?.[0];
    };
    expect(await line()).toMatch(/^console +yes +\S+console\.db: 0 users and 1 token$/);
    chmodSync(at.path('data/console.db'), 0o644);
    expect(await line()).toMatch(
      /^console +NO +\S+console\.db is open to other users .* Next: `chmod 600 \S+console\.db`\.$/,
    );
    at.write('data/console.db', 'not a database at all');
    expect(await line()).toMatch(/^console +NO +The file of users and tokens \S+ is not an SQLite/);
  });

  it.each([[[]], [['--service', 'simulated']]])(
    'leaves no file in a fresh folder (%j)',
    async (flags) => {
      const at = desk();

      await at.run(['doctor', ...flags]);

      expect(readdirSync(at.cwd)).toEqual([]);
    },
  );

  it('says that little room is left, and where to make some', async () => {
    vi.spyOn(systemDisk, 'freeBytes').mockReturnValue(FREE_FLOOR_BYTES - 1);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const service = await voiceServer();
    const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: 'k' });

    const { code, out } = await at.run(['doctor']);

    expect(code).toBe(5);
    expect(out).toMatch(/disk +NO +63 MB free, .* Next: Make room on the disk of \S+data\.\n/);
  });

  it('says that a network disk is none for the database', async () => {
    vi.spyOn(systemDisk, 'fileSystemType').mockReturnValue(0x6969);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });

    const { code, out } = await desk().run(['doctor']);

    expect(code).toBe(2);
    expect(out).toMatch(/disk +NO +The database \S+ is on a network file system \(NFS\)/);
  });

  it('looks through a database of any size, and says that it is damaged', async () => {
    const at = desk();
    copyFileSync(await aDamagedDatabase(), at.path('calls.db'));

    const { code, out } = await at.run(['doctor', '--db', 'calls.db']);

    expect(code).toBe(5);
    expect(out).toMatch(/database +NO +The database \S+calls\.db is damaged: .* Next: .*restore/);
  });

  it('says what is not, with the next step, and ends with its exit code', async () => {
    const at = desk();
    at.write('calls.db', 'no database at all'.repeat(100));
    const { code, out } = await at.run(['doctor', '--db', 'calls.db']);
    expect(code).toBe(2);
    expect(out).toMatch(/database +NO +\S+calls\.db is not an SQLite database, .* Next: /);
    expect(out).toMatch(/service +NO +No service is given: .* Next: /);
  });
});
