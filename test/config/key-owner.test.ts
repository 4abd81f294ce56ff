import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { resolveService } from '../../src/config/resolve-service.ts';
import type { ServiceInput } from '../../src/config/resolve-service.ts';
import { loadServices } from '../../src/config/services-file.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';
const KEY = 'sk-live-4f9a2b';

let cwd: string;
beforeEach(() => {
  cwd = tempFolder();
});

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
};

const resolve = (input: Partial<ServiceInput>) =>
  resolveService({ choice: {}, services: loadServices(null, cwd), env: {}, cwd, ...input });

/** What a campaign file says. */
const fromFile = (url: string) => ({ url, urlAt: 'spring.yaml:3' });

const foreign = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'SERVICE_KEY_FOREIGN',
    exitCode: 2,
    message: expect.stringMatching(message) as string,
  }) as Error;

describe('a key is not sent to the address of a campaign file', () => {
  it('when VOICE_API_URL says whose it is', () => {
    const env = { VOICE_API_KEY: KEY, VOICE_API_URL: A };
    expect(() => resolve({ choice: fromFile(B), env })).toThrow(
      foreign(
        `^Service ${B} \\(spring.yaml:3\\) is not asked: VOICE_API_KEY belongs to ${A} \\(VOICE_API_URL\\) and is sent nowhere else.$`,
      ),
    );
    expect(resolve({ choice: fromFile(`${A}/v2`), env }).key).toBe(KEY);
  });

  it('when services.yaml says whose it is, by any variable or file', () => {
    write('main.key', `${KEY}\n`);
    for (const entry of ['url: a', 'url: a, keyEnv: MAIN_KEY', 'url: a, keyFile: ../main.key']) {
      write('campaigns/services.yaml', `main: { ${entry.replace('a', A)} }`);
      const env = { VOICE_API_KEY: KEY, MAIN_KEY: KEY };
      expect(() => resolve({ choice: fromFile(B), env })).toThrow(
        foreign(`belongs to ${A} \\(main in campaigns/services.yaml\\)`),
      );
      expect(resolve({ choice: fromFile(A), env }).key).toBe(KEY);
    }
  });

  it('nor that of a key file that is somebody else’s', () => {
    write('main.key', KEY);
    write('campaigns/services.yaml', `main: { url: ${A}, keyEnv: MAIN_KEY }`);
    const given = { choice: fromFile(B), env: { MAIN_KEY: KEY } };
    expect(() => resolve({ ...given, keyFile: 'main.key' })).toThrow(foreign(`belongs to ${A}`));
    write('b.key', 'another');
    expect(resolve({ ...given, keyFile: 'b.key' }).key).toBe('another');
  });

  it('when nobody has said whose it is', () => {
    const env = { VOICE_API_KEY: KEY };
    const error = foreign('VOICE_API_KEY may not go there: the address comes from a campaign file');
    expect(() => resolve({ choice: fromFile(B), env })).toThrow(error);
    expect(() => resolve({ choice: fromFile(B), env })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('write `service: main`') as string }),
    );
    expect(resolve({ choice: { url: B }, env }).key).toBe(KEY);
  });

  it.each([
    ['another scheme', 'http://127.0.0.1:8443', 'https://127.0.0.1:8443'],
    ['another port', 'https://a.example.com:8443', A],
    ['another host', 'https://eu.a.example.com', A],
    ['this machine', 'http://127.0.0.1:9', A],
    ['another port of this machine', 'http://127.0.0.1:9', 'http://127.0.0.1:8'],
  ])('of %s', (_what, url, own) => {
    const env = { VOICE_API_KEY: KEY, VOICE_API_URL: own };
    expect(() => resolve({ choice: fromFile(url), env })).toThrow(foreign('is not asked'));
  });
});

it('a campaign’s address of before gets no key that services.yaml gives to another', () => {
  write('campaigns/services.yaml', `main: { url: ${A} }`);
  const env = { VOICE_API_KEY: KEY };
  expect(() => resolve({ stored: B, env })).toThrow(foreign(`belongs to ${A}`));
  expect(resolve({ stored: A, env }).key).toBe(KEY);
});

it('an entry that names no key gets none that VOICE_API_URL gives to another', () => {
  const env = { VOICE_API_KEY: KEY, VOICE_API_URL: A };
  write('campaigns/services.yaml', `main: { url: ${B} }`);
  expect(() => resolve({ choice: { name: 'main' }, env })).toThrow(foreign(`main at ${B} is not`));
  write('campaigns/services.yaml', `main: { url: ${B}, keyEnv: VOICE_API_KEY }`);
  expect(resolve({ choice: { name: 'main' }, env }).key).toBe(KEY);
  write('campaigns/services.yaml', `main: { url: ${A}/v1 }`);
  expect(resolve({ choice: { name: 'main' }, env }).key).toBe(KEY);
});

describe('a profile that came with a campaign file does not say where a key goes', () => {
  beforeEach(() => {
    write('campaigns/profiles/acme.yaml', `url: ${A}\n`);
    write('theirs/profiles/acme.yaml', `url: ${B}\n`);
    write('theirs/profiles/vapi.yaml', `url: ${B}\n`);
    write('theirs/profiles/new.yaml', `url: ${B}\n`);
  });

  it.each(['acme', 'vapi', 'new'])('of a service of services.yaml: %s', (profile) => {
    write('campaigns/services.yaml', `main: { profile: ${profile}, keyEnv: MAIN_KEY }`);
    const given = { choice: { name: 'main' }, env: { MAIN_KEY: KEY } };
    const beside = join(cwd, 'theirs');
    expect(() => resolve({ ...given, beside })).toThrow(
      foreign(`main at ${B} \\(.*/theirs/profiles/${profile}.yaml\\) is not asked: MAIN_KEY`),
    );
    if (profile === 'acme') expect(resolve(given).url).toBe(A);
  });

  it.each(['acme', 'new'])('of a profile that is given by its name: %s', (profile) => {
    const given = { choice: { profile }, env: { VOICE_API_KEY: KEY } };
    expect(() => resolve({ ...given, beside: join(cwd, 'theirs') })).toThrow(
      foreign('is not asked'),
    );
    if (profile === 'acme') expect(resolve(given).url).toBe(A);
  });

  it('and one in the folder of services.yaml is the operator’s own', () => {
    write('campaigns/services.yaml', 'main: { profile: acme, keyEnv: MAIN_KEY }');
    const given = { choice: { name: 'main' }, env: { MAIN_KEY: KEY } };
    expect(resolve({ ...given, beside: join(cwd, 'campaigns') }).url).toBe(A);
  });
});
