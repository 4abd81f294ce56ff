import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { parseArgs } from '../../src/cli/args/parse.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { EXIT } from '../../src/runtime/errors.ts';
import { readServerUrl } from '../../src/runtime/server-url.ts';
import { tempFolder } from '../helpers/files/temp.ts';
import { root } from './pages.ts';

const read = (name: string) => readFileSync(join(root, 'campaigns/units', name), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the unit file for systemd', () => {
  const unit = read('callsheet.service');
  const settings = new Map(
    [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

  it('starts serve again after a full disk, and not after a mistake in flags or files', () => {
    expect(settings.get('Restart')).toBe('on-failure');
    expect(settings.get('RestartPreventExitStatus')).toBe(String(EXIT.usage));
    expect(settings.get('SuccessExitStatus')).toBe(String(EXIT.interrupted));
    expect(Number(settings.get('RestartSec'))).toBeGreaterThanOrEqual(30);
    // Else systemd gives up after five starts.
    expect(settings.get('StartLimitIntervalSec')).toBe('0');
  });

  it('waits until serve is ready, watches it, and gives it time to stop', () => {
    expect([settings.get('Type'), settings.get('NotifyAccess')]).toEqual(['notify', 'all']);
    expect(settings.get('WatchdogSec')).toBe('60');
    expect(settings.get('TimeoutStopSec')).toBe('300');
  });

  it('hardens nothing that keeps a notify command from sending mail', () => {
    expect([...settings.keys()].join('\n')).not.toMatch(
      /^(NoNewPrivileges|SystemCall|Restrict|PrivateDevices|ProtectKernel|MemoryDeny|Lock|ProtectClock)/m,
    );
  });

  it.runIf(hasSystemd)('is understood by systemd as it is', () => {
    const file = join(tempFolder(), 'callsheet.service');
    // systemd looks for the program on this machine.
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    const { stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    // Other units of this machine may have faults of their own.
    expect(stderr.split('\n').filter((line) => line.includes('callsheet'))).toEqual([]);
  });
});

describe('its settings for a database on a server', () => {
  const conf = read('server.conf');

  it('start serve by a command line that is one, with a URL that is one', async () => {
    const [, words = ''] = /^ExecStart=\S+ \S+ serve (.+)$/m.exec(conf) ?? [];
    const row = COMMANDS.find(({ name }) => name === 'serve');
    if (row === undefined) throw new Error('there is no serve');
    await expect(parseArgs(row, await row.load(), words.split(' '))).resolves.toBeDefined();
    const [, url = ''] = /^Environment=CALLSHEET_DB=(.+)$/m.exec(conf) ?? [];
    expect(readServerUrl(url, 'the unit').schema).toBe('callsheet');
  });

  it.runIf(hasSystemd)('are understood by systemd', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'callsheet.service.d'));
    const files = {
      'callsheet.service': read('callsheet.service'),
      'callsheet.service.d/server.conf': conf,
    };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, name), text.replace('/usr/bin/node', process.execPath));
    const { stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'callsheet.service')], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
    expect(stderr.split('\n').filter((line) => line.includes('callsheet'))).toEqual([]);
  });
});

describe('the property list for launchd', () => {
  it('is well-formed, starts serve, again after a failure only, and gives it time to stop', () => {
    const words: string[] = [];
    const parser = new SaxesParser();
    parser.on('text', (text) => words.push(...(text.trim() === '' ? [] : [text])));
    parser.on('error', (error) => {
      throw error;
    });
    const list = read('local.callsheet.serve.plist');
    parser.write(list).close();
    expect(words[words.indexOf('ProgramArguments') + 3]).toBe('serve');
    expect(list).toMatch(/<key>SuccessfulExit<\/key>\s+<false\/>/);
    expect(words[words.indexOf('ExitTimeOut') + 1]).toBe('300');
  });
});
