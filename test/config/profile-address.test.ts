import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveService } from '../../src/config/resolve-service.ts';
import { loadServices } from '../../src/config/services-file.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const URL_OF_FLAG = 'https://voice.example.com';

it('a profile may give the base address, where neither services.yaml nor a flag does', () => {
  const urlOf = aFolder({
    'campaigns/profiles/acme.yaml': 'url: https://api.acme.example/\n',
    'campaigns/services.yaml':
      'main: { profile: acme }\nother: { profile: acme, url: https://eu.acme.example }\n',
  });

  expect(urlOf({ name: 'main' })).toBe('https://api.acme.example');
  expect(urlOf({ name: 'other' })).toBe('https://eu.acme.example');
  expect(urlOf({ profile: 'acme' })).toBe('https://api.acme.example');
  expect(urlOf({ profile: 'acme', url: URL_OF_FLAG })).toBe(URL_OF_FLAG);
  expect(urlOf({ profile: 'acme' }, { VOICE_API_URL: URL_OF_FLAG })).toBe(URL_OF_FLAG);
});

it.each([
  ['no address', ''],
  ['one without https', 'url: http://api.acme.example\n'],
  ['one that is no text', 'url: [1]\n'],
  ['a file that is no YAML', 'url: [\n'],
])('a service whose profile gives %s needs one of its own', (_title, text) => {
  const urlOf = aFolder({
    'campaigns/profiles/acme.yaml': text,
    'campaigns/services.yaml': 'main: { profile: acme }\n',
  });

  expect(() => urlOf({ name: 'main' })).toThrow(
    /main has no url in campaigns\/services.yaml, and its profile .*acme.yaml gives no address/,
  );
  expect(() => urlOf({ profile: 'acme' })).toThrow('No service is given');
});

function aFolder(files: Record<string, string>) {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'campaigns/profiles'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const services = loadServices(null, cwd);
  return (choice: object, more: Record<string, string> = {}) =>
    resolveService({ choice, services, env: { VOICE_API_KEY: 'k', ...more }, cwd }).url;
}
