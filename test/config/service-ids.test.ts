import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveService } from '../../src/config/resolve-service.ts';
import { loadServices } from '../../src/config/services-file.ts';
import { tempFolder } from '../helpers/files/temp.ts';

/** A folder whose services.yaml has this line more about its service. */
function aFolder(line: string): string {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'campaigns'));
  const text = `main:\n  url: https://voice.example.com/\n  keyEnv: MAIN_KEY\n${line}\n`;
  writeFileSync(join(cwd, 'campaigns/services.yaml'), text);
  return cwd;
}

describe('the ids of an account that stand in the paths of a profile', () => {
  it.each([
    ['  ids: { account: 007, application: ab-1 }', { account: '007', application: 'ab-1' }],
    ['', {}],
  ])('are read as they are written, leading zeros and all: %s', (line, ids) => {
    const cwd = aFolder(line);
    const services = loadServices(null, cwd);
    const env = { MAIN_KEY: 'sk-1' };
    expect(resolveService({ choice: { name: 'main' }, services, env, cwd })).toMatchObject({ ids });
  });

  it.each([
    ["  ids: { account: '' }", /services\.yaml:4:.*is empty; it must be an id of the account/],
    ['  ids: 007', /services\.yaml:4:.*is no list of ids by name/],
    ["  ids: { 'a b': 1 }", /services\.yaml:4:.*is not a key/],
  ])('are refused at their place where they are none: %s', (line, message) => {
    expect(() => loadServices(null, aFolder(line))).toThrow(
      expect.objectContaining({
        code: 'SERVICES_FILE_INVALID',
        exitCode: 2,
        message: expect.stringMatching(message) as string,
      }) as Error,
    );
  });
});
