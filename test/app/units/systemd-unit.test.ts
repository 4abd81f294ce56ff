import { describe, expect, it } from 'vitest';
import { systemdUnit } from '../../../src/app/units/systemd-unit.ts';
import type { UnitRequest } from '../../../src/app/units/unit-request.ts';
import { checkUnit, wordsOf } from './checker.ts';

const ODD = String.raw`/srv/a $b ${'$'}{HOME} %n%% "q" 'p' \e\t;`;

export const aRequest = (given: Partial<UnitRequest> = {}): UnitRequest => ({
  program: ['/usr/bin/node', '/srv/callsheet/dist/bin/callsheet.js'],
  words: ['--port', '4280', '--quiet'],
  folder: '/srv/calls',
  env: { CALLSHEET_HOME: '/srv/calls' },
  user: 'calls',
  writes: ['/srv/calls/data'],
  stopMs: 150_000,
  ...given,
});

/** The settings of a unit in which nothing is wrong. */
function settingsOf(request: UnitRequest) {
  const { problems, settings } = checkUnit(systemdUnit(request));
  expect(problems).toEqual([]);
  const of = (name: string) => settings.filter((each) => each.name === name).map((s) => s.value);
  return { of, one: (name: string) => of(name).join('\n') };
}

describe('a unit for systemd', () => {
  it('starts serve with these flags, waits until it is ready, watches it, and gives it time to stop', () => {
    const { one } = settingsOf(aRequest());
    expect(one('ExecStart')).toBe(
      '/usr/bin/node /srv/callsheet/dist/bin/callsheet.js serve --port 4280 --quiet',
    );
    expect(one('WorkingDirectory')).toBe('/srv/calls');
    expect([one('Type'), one('WatchdogSec'), one('TimeoutStopSec')]).toEqual([
      'notify',
      '60',
      '150',
    ]);
    expect([one('Restart'), one('SuccessExitStatus'), one('RestartPreventExitStatus')]).toEqual([
      'on-failure',
      '130',
      '2 5',
    ]);
    expect([one('Wants'), one('After')]).toEqual(Array(2).fill('network-online.target'));
  });

  it('hardens nothing that keeps a command of a notice from sending mail', () => {
    expect(systemdUnit(aRequest())).not.toMatch(
      /^(NoNewPrivileges|SystemCall|Restrict|PrivateDevices|ProtectKernel|MemoryDeny|Lock|ProtectClock)/m,
    );
  });

  it.each(['/tmp/calls', '/var/tmp/calls'])('sees the files of others in %s', (folder) => {
    expect(settingsOf(aRequest()).one('PrivateTmp')).toBe('yes');
    expect(settingsOf(aRequest({ folder })).of('PrivateTmp')).toEqual([]);
  });

  it('says words with spaces, quotes, backslashes, percent and dollar signs as they are', () => {
    const { one } = settingsOf(
      aRequest({
        program: ['/opt/my node/bin/node', ODD],
        words: ['--log-file', ODD, '--db', '%h', '--services', '$HOME', ';'],
        env: { CALLSHEET_HOME: ODD },
        writes: [ODD],
        folder: '/srv/100% "calls" $x',
      }),
    );
    const words = ['--log-file', ODD, '--db', '%h', '--services', '$HOME', ';'];
    expect(wordsOf(one('ExecStart'))).toEqual(['/opt/my node/bin/node', ODD, 'serve', ...words]);
    expect(one('ExecStart')).toMatch(/ ";"$/);
    expect(wordsOf(one('Environment'), false)).toEqual([`CALLSHEET_HOME=${ODD}`]);
    expect(wordsOf(one('ReadWritePaths'), false)).toEqual([`-${ODD}`]);
    expect(one('WorkingDirectory')).toBe('/srv/100%% "calls" $x');
  });

  it('starts a Node whose path systemd would refuse by way of env', () => {
    const { one } = settingsOf(aRequest({ program: [ODD, '/x.js'] }));
    expect(wordsOf(one('ExecStart'))).toEqual([
      ...['/usr/bin/env', ODD, '/x.js', 'serve', '--port', '4280', '--quiet'],
    ]);
  });

  it.each<[string, Partial<UnitRequest>]>([
    ['a line break', { words: ['--db', '/srv/a\nExecStartPre=/bin/rm'] }],
    ['a control character', { folder: '/srv/\u0007' }],
    ['a space at its end', { folder: '/srv/calls ' }],
    ['a backslash at its end', { folder: '/srv/calls\\' }],
  ])('is refused for a path with %s', (_, given) => {
    expect(() => systemdUnit(aRequest(given))).toThrow('which a unit cannot say');
  });
});
