import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProfile } from '../../src/config/profiles.ts';
import { resolveService } from '../../src/config/resolve-service.ts';
import type { ServiceInput } from '../../src/config/resolve-service.ts';
import { findService, loadServices } from '../../src/config/services-file.ts';
import { packageRoot } from '../../src/runtime/files.ts';
import { tempFolder } from '../helpers/files/temp.ts';

let cwd: string;

beforeEach(() => {
  cwd = tempFolder();
  mkdirSync(join(cwd, 'campaigns/profiles'), { recursive: true });
});

const write = (path: string, text: string) => {
  writeFileSync(join(cwd, path), text);
};

const resolve = (input: Partial<ServiceInput>) =>
  resolveService({ choice: {}, services: loadServices(null, cwd), env: {}, cwd, ...input });

const refusal = (code: string, message: string | RegExp) =>
  expect.objectContaining({
    code,
    exitCode: 2,
    message: expect.stringMatching(message) as string,
  }) as Error;

const ENTRY = `main:
  url: https://voice.example.com/
  keyEnv: MAIN_KEY
  maxCalls: 20
`;

describe('a service', () => {
  it('is found by its name, with the key of its own variable', () => {
    write('campaigns/services.yaml', ENTRY);
    const service = resolve({ choice: { name: 'main' }, env: { MAIN_KEY: ' sk-1\n' } });
    expect(service).toMatchObject({
      name: 'main',
      url: 'https://voice.example.com',
      key: 'sk-1',
      maxCalls: 20,
      keyFile: null,
      simulated: false,
      live: true,
    });
    expect(service.profile.path).toBe(join(packageRoot(), 'campaigns/profiles/voice-agent.yaml'));
    expect(service.profile.text).toContain('dial:');
  });

  it('may name the number that calls come from', () => {
    const env = { MAIN_KEY: 'sk-1' };
    write('campaigns/services.yaml', `${ENTRY}  from: '+12125550199'\n`);
    expect(resolve({ choice: { name: 'main' }, env })).toMatchObject({ from: '+12125550199' });
    write('campaigns/services.yaml', ENTRY);
    expect(resolve({ choice: { name: 'main' }, env })).toMatchObject({ from: null });
  });

  it('reads its key from a file, the flag before the entry', () => {
    write('campaigns/services.yaml', `${ENTRY}  keyFile: main.key\n  dialsPerSecond: 5\n`);
    write('campaigns/main.key', 'from-entry\n');
    write('flag.key', 'from-flag\n');
    const named = resolve({ choice: { name: 'main' } });
    expect([named.key, named.dialsPerSecond]).toEqual(['from-entry', 5]);
    expect(resolve({ choice: { name: 'main' }, keyFile: 'flag.key' }).key).toBe('from-flag');
  });

  it('may be given by its address, with the key of VOICE_API_KEY', () => {
    const env = { VOICE_API_KEY: 'k', VOICE_API_URL: 'https://other.example.com/v1/' };
    expect(resolve({ choice: { url: 'https://voice.example.com' }, env })).toMatchObject({
      name: 'https://voice.example.com',
      url: 'https://voice.example.com',
      key: 'k',
      maxCalls: null,
    });
    expect(resolve({ env })).toMatchObject({ url: 'https://other.example.com/v1' });
  });

  it('is the embedded one under the name simulated, listed or not, without a key', () => {
    const unlisted = resolve({ choice: { name: 'simulated' } });
    expect(unlisted).toMatchObject({
      name: 'simulated',
      url: null,
      key: null,
      maxCalls: null,
      simulated: true,
      live: false,
    });
    write('campaigns/services.yaml', 'simulated: { maxCalls: 3 }');
    write('campaigns/profiles/voice-agent.yaml', 'other: true');
    const listed = resolve({ choice: { name: 'simulated' } });
    expect(listed.maxCalls).toBe(3);
    expect(listed.profile).toEqual(unlisted.profile);
  });

  it('is the one that the campaign has used, unless flags or file name another', () => {
    const env = { VOICE_API_KEY: 'k', VOICE_API_URL: 'https://other.example.com' };
    expect(resolve({ stored: 'simulated', env }).name).toBe('simulated');
    expect(
      resolve({ stored: 'simulated', choice: { url: 'https://voice.example.com' }, env }).url,
    ).toBe('https://voice.example.com');
    const here = { ...env, VOICE_API_URL: 'https://voice.example.com/v1' };
    expect(resolve({ stored: 'https://voice.example.com', env: here })).toMatchObject({
      name: 'https://voice.example.com',
      url: 'https://voice.example.com',
    });
  });

  it('that a campaign has used by its address gets no key that belongs to another host', () => {
    const stored = 'https://voice.example.com';
    const env = { VOICE_API_KEY: 'k', VOICE_API_URL: 'https://other.example.com' };
    expect(() => resolve({ stored, env })).toThrow(
      refusal(
        'SERVICE_KEY_FOREIGN',
        /voice\.example\.com .* belongs to https:\/\/other\.example\.com/,
      ),
    );
    const keyUrl = 'https://third.example.com';
    expect(() => resolve({ stored, env: { VOICE_API_KEY: 'k' }, keyUrl })).toThrow(
      refusal('SERVICE_KEY_FOREIGN', '--service-url'),
    );
    write('own.key', 'own');
    expect(resolve({ stored, env, keyFile: 'own.key' }).key).toBe('own');
    expect(resolve({ stored, env: { VOICE_API_KEY: 'k' } }).key).toBe('k');
    expect(resolve({ stored, choice: { url: stored }, env }).key).toBe('k');
  });

  it.each([
    ['http://127.0.0.1:8787', false],
    ['http://127.9.9.9', false],
    ['http://[::1]:80', false],
    ['http://localhost:8787', false],
    ['http://LOCALHOST', false],
    ['https://127.0.0.1.example.com', true],
    ['https://localhost.example.com', true],
    ['https://10.0.0.1', true],
    ['https://0.0.0.0', true],
  ])('at %s is live: %s', (url, live) => {
    write('campaigns/services.yaml', `main: { url: "${url}" }`);
    expect(resolve({ choice: { name: 'main' }, env: { VOICE_API_KEY: 'k' } }).live).toBe(live);
  });
});

describe('a service that cannot be used', () => {
  it('because nobody named one is asked for, with the names there are', () => {
    expect(() => resolve({})).toThrow(refusal('SERVICE_NOT_CHOSEN', 'No service is given'));
  });

  it('because its key is missing names the variable or the file, never a key', () => {
    write('campaigns/services.yaml', ENTRY);
    const choice = { name: 'main' };
    expect(() => resolve({ choice })).toThrow(
      refusal('SERVICE_KEY_MISSING', 'service main: MAIN_KEY is empty or not set'),
    );
    expect(() => resolve({ choice, env: { MAIN_KEY: '  ' } })).toThrow(/MAIN_KEY is empty/);
    expect(() => resolve({ choice, env: { MAIN_KEY: 'a\r\nX: secret' } })).toThrow(
      refusal('SERVICE_KEY_MISSING', /^(?!.*secret).*MAIN_KEY holds blanks/s),
    );
    expect(() => resolve({ choice, keyFile: 'no.key' })).toThrow(
      refusal('SERVICE_KEY_MISSING', 'no key file "no.key"'),
    );
    expect(() => resolve({ choice: { url: 'https://voice.example.com' } })).toThrow(
      refusal('SERVICE_KEY_MISSING', 'VOICE_API_KEY is empty or not set'),
    );
  });

  it('because its name is unknown names the nearest', () => {
    write('campaigns/services.yaml', ENTRY);
    expect(() => resolve({ choice: { name: 'mian' } })).toThrow(
      refusal('SERVICE_UNKNOWN', 'no service "mian" .* did you mean "main"'),
    );
    expect(() => resolve({ choice: { name: 'telephony' } })).toThrow(/it has simulated, main/);
  });

  it('because it is given in two ways is refused', () => {
    write('campaigns/services.yaml', ENTRY);
    const url = 'https://voice.example.com';
    expect(() => resolve({ choice: { name: 'main', url } })).toThrow(
      refusal('SERVICE_CHOICE_INVALID', 'Both --service and --service-url'),
    );
    expect(() => resolve({ choice: { name: 'main', profile: 'acme' } })).toThrow(
      refusal('SERVICE_CHOICE_INVALID', '--profile goes with --service-url'),
    );
    expect(() => resolve({ env: { VOICE_API_URL: 'https://me:hunter2@x.example.com' } })).toThrow(
      refusal('SERVICE_CHOICE_INVALID', /^(?!.*hunter2).*VOICE_API_URL/s),
    );
  });
});

describe('a profile', () => {
  it('is looked up beside the campaign, then in the working folder, then in the package', () => {
    const beside = tempFolder();
    mkdirSync(join(beside, 'profiles'));
    const find = () => findProfile('voice-agent', { cwd, beside }).path;
    expect(find()).toBe(join(packageRoot(), 'campaigns/profiles/voice-agent.yaml'));
    write('campaigns/profiles/voice-agent.yaml', 'x');
    expect(find()).toBe(join(cwd, 'campaigns/profiles/voice-agent.yaml'));
    writeFileSync(join(beside, 'profiles/voice-agent.yaml'), 'x');
    expect(find()).toBe(join(beside, 'profiles/voice-agent.yaml'));
  });

  it('may be a path, relative to the file that names it', () => {
    write('campaigns/acme.yaml', 'text of acme');
    write(
      'campaigns/services.yaml',
      'main: { url: https://voice.example.com, profile: ./acme.yaml }',
    );
    const service = resolve({ choice: { name: 'main' }, env: { VOICE_API_KEY: 'k' } });
    expect(service.profile).toEqual({
      path: join(cwd, 'campaigns/acme.yaml'),
      text: 'text of acme',
    });
  });

  it('that is nowhere names the places', () => {
    expect(() => findProfile('acme', { cwd })).toThrow(
      refusal('PROFILE_NOT_FOUND', `looked for ${cwd}/campaigns/profiles/acme.yaml, `),
    );
    expect(() => findProfile('./acme.yaml', { cwd })).toThrow(`looked for ${cwd}/acme.yaml.`);
  });
});

describe('services.yaml', () => {
  it('of the package is valid', () => {
    expect([...loadServices(null, packageRoot()).entries.keys()]).toContain('simulated');
  });

  it('may be missing unless it was asked for', () => {
    expect([...loadServices(null, tempFolder()).entries.keys()]).toEqual(['simulated']);
    expect(() => loadServices('mine.yaml', cwd)).toThrow(
      refusal('SERVICES_FILE_NOT_FOUND', 'no services file "mine.yaml"'),
    );
  });

  it.each([
    ['main: { from: x }', '1:9: main has no url'],
    ['main: https://voice.example.com', '1:1: "main" is a group of keys: main.url, main.profile'],
    ['main: { url: voice }', '1:14: main.url "voice" is not an address'],
    [
      'main: { url: https://h, maxCalls: 0 }',
      '1:35: main.maxCalls "0" is not a whole number from 1 to 10,000.',
    ],
    [
      'main: { url: https://h, kyeEnv: X }',
      '"main.kyeEnv" is not a key; did you mean "main.keyEnv"?',
    ],
    [
      "main: { url: https://h, webhookSecretEnv: 'whsec_abc=' }",
      '1:43: main.webhookSecretEnv is not the name of an environment variable',
    ],
    ['"a b": { url: https://h }', '1:10: "a b" cannot be the name of a service'],
    ['simulated: { url: https://h }', '"simulated.url" is not a key'],
    ['main: [x', 'this is not YAML'],
  ])('%s is refused with its place', (yaml, message) => {
    write('campaigns/services.yaml', yaml);
    const error = refusal('SERVICES_FILE_INVALID', '^campaigns/services.yaml:1:');
    expect(() => loadServices(null, cwd)).toThrow(error);
    expect(() => loadServices(null, cwd)).toThrow(message);
  });

  it.each(['NEW', '[NEW, OLD]'])('names the variables of its webhook secrets: %s', (names) => {
    write('campaigns/services.yaml', `main: { url: https://h, webhookSecretEnv: ${names} }`);
    const found = findService(loadServices(null, cwd), 'main');
    expect(found.webhookSecretEnv).toEqual(names === 'NEW' ? ['NEW'] : ['NEW', 'OLD']);
  });

  it('does not repeat what stands at webhookSecretEnv: it may be a secret', () => {
    write('campaigns/services.yaml', 'main: { url: https://h, webhookSecretEnv: whsec-123 }');
    expect(() => loadServices(null, cwd)).toThrow(
      refusal('SERVICES_FILE_INVALID', /^(?!.*whsec).*webhookSecretEnv/s),
    );
  });

  it('does not repeat what stands at keyEnv: it may be a key', () => {
    write('campaigns/services.yaml', 'main: { url: https://h, keyEnv: sk-live-123 }');
    expect(() => loadServices(null, cwd)).toThrow(
      refusal('SERVICES_FILE_INVALID', /^(?!.*sk-live).*keyEnv is not the name of an environment/s),
    );
  });
});
