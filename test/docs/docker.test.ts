import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { locateDatabase } from '../../src/app/places/home.ts';
import { parseArgs } from '../../src/cli/args/parse.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { page, root } from './pages.ts';

interface Step {
  word: string;
  rest: string;
  words: string[];
}
interface Dockerfile {
  stagesOf: (path: string) => { steps: Step[] }[];
  copyOf: (step: Step) => { sources: string[]; from?: string };
}
const { stagesOf, copyOf } = (await import(
  new URL('../docker/dockerfile.mjs', import.meta.url).href
)) as Dockerfile;

const folder = join(root, 'campaigns/docker');
const stages = stagesOf(join(folder, 'Dockerfile'));
const image = new Map(stages.at(-1)?.steps.map(({ word, ...step }) => [word, step]));
const home = /CALLSHEET_HOME=(\S+)/.exec(image.get('ENV')?.rest ?? '')?.[1] ?? '';

/** Holds words of a command line against the command. */
async function requireCommand(words: readonly string[]): Promise<void> {
  const row = COMMANDS.find(({ name }) => name === words[0]);
  if (row === undefined) throw new Error(`"${words.join(' ')}" begins with no command`);
  await expect(parseArgs(row, await row.load(), words.slice(1))).resolves.toBeDefined();
}

describe('the Dockerfile', () => {
  it('copies what is there, and only what .dockerignore lets in', () => {
    const ignored = readFileSync(join(folder, 'Dockerfile.dockerignore'), 'utf8').split('\n');
    const sources = stages
      .flatMap(({ steps }) => steps.filter(({ word }) => word === 'COPY').map(copyOf))
      .flatMap(({ sources: some, from }) => (from === undefined ? some : []));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(sources.filter((path) => !ignored.includes(`!${path}`))).toEqual([]);
    expect(ignored.slice(1, 2)).toEqual(['*']);
  });

  it('starts serve, not as root, and its health is where serve answers', async () => {
    expect(image.get('USER')?.rest).toBe('node');
    await requireCommand(image.get('CMD')?.words ?? []);
    const serve = await COMMANDS.find(({ name }) => name === 'serve')?.load();
    const { default: port } = serve?.options['port'] ?? {};
    expect(image.get('HEALTHCHECK')?.rest).toContain(`127.0.0.1:${String(port)}/healthz`);
    expect(image.get('STOPSIGNAL')?.rest).toBe('SIGTERM');
  });

  it('has all that callsheet writes in its volume', () => {
    const world = { cwd: image.get('WORKDIR')?.rest ?? '', env: { CALLSHEET_HOME: '' } };
    for (const db of [undefined, 'postgres://callsheet@db/calls'])
      expect(locateDatabase({ db }, world, false).folder).toContain(`${home}/data`);
    expect(image.get('VOLUME')?.rest).toBe(home);
    expect(world.cwd).toBe(home);
  });
});

describe('the Compose file', () => {
  const { services, secrets, volumes } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), {
    merge: true,
  }) as Compose;
  const machines = Object.values(services).filter(({ hostname }) => hostname !== undefined);

  it('gives callsheet command lines and a database that it understands', async () => {
    const ours = Object.values(services).filter(({ image: name }) => name === 'callsheet');
    expect(ours.map(({ command }) => command[0])).toEqual(['serve', 'serve', 'migrate']);
    for (const { command, environment } of ours) {
      await requireCommand(command);
      expect(Object.keys(environment ?? {})).toEqual(['CALLSHEET_DB']);
      const place = locateDatabase(
        { db: environment?.['CALLSHEET_DB'] },
        { cwd: '/', env: {} },
        false,
      );
      expect(place.url).toMatch(/^postgres:\/\/callsheet@db\/calls\?.*sslrootcert=/);
    }
  });

  it('has two machines with a volume each, which stop in the time that the systemd unit gives', () => {
    const own = machines.map(({ volumes: all = [] }) =>
      all.find((one) => one.endsWith(`:${home}`)),
    );
    expect(own).toEqual([`a:${home}`, `b:${home}`]);
    for (const { stop_grace_period: time, depends_on: on } of machines) {
      expect(time).toBe('5m');
      expect(on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    }
    expect(readFileSync(join(root, 'campaigns/units/callsheet.service'), 'utf8')).toContain(
      'TimeoutStopSec=300',
    );
  });

  it('names no secret and no volume that is not there', () => {
    for (const { command = [], secrets: some = [], volumes: all = [] } of Object.values(services)) {
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(some));
      const read = command.flatMap((word) => /\/run\/secrets\/([\w-]+)/.exec(word)?.[1] ?? []);
      expect(some).toEqual(expect.arrayContaining(read));
      const named = all.map((one) => one.split(':')[0] ?? '').filter((one) => one !== '..');
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
    }
  });
});

interface Compose {
  services: Record<
    string,
    {
      image: string;
      command: string[];
      hostname?: string;
      environment?: Record<string, string>;
      secrets?: string[];
      volumes?: string[];
      stop_grace_period?: string;
      depends_on?: unknown;
    }
  >;
  secrets: Record<string, unknown>;
  volumes: Record<string, unknown>;
}

it('the page of servers has the calls a second that doctor would say', () => {
  const source = readFileSync(join(root, 'src/app/places/servers.ts'), 'utf8');
  const [, trips, ms] = /1_000 \/ \((\d+) \* roundTripMs \+ (\d+)\)/.exec(source) ?? [];
  const rows = page('campaigns/servers.md').tableAfter('## Is it worth it?');
  expect(rows.length).toBeGreaterThan(2);
  for (const [way = '', calls] of rows)
    expect(calls).toBe(
      String(Math.floor(1_000 / (Number(trips) * Number.parseFloat(way) + Number(ms)))),
    );
});
