import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../../src/cli/main.ts';
import { fakeIo } from '../../../helpers/fake-io.ts';
import { tempFolder } from '../../../helpers/files/temp.ts';
import { simulatedService } from '../../../helpers/services/simulated-service.ts';

const callsheet = async (argv: string[], env: Record<string, string>, cwd: string) => {
  const io = fakeIo({ cwd, env });
  const code = await main(argv, io);
  return { code, out: io.out(), err: io.err() };
};

interface Listed {
  items: { id: string; name: string }[];
  complete: boolean;
}

describe('agents', () => {
  it('created over three pages are all listed, and another key does not see them', async () => {
    const cwd = tempFolder();
    const { url } = await simulatedService({ keys: ['one', 'two'] });
    writeFileSync(join(cwd, 'prompt.txt'), 'You remind people of their renewal.\n');
    const one = { VOICE_API_URL: url, VOICE_API_KEY: 'one' };
    const two = { VOICE_API_URL: url, VOICE_API_KEY: 'two' };
    const before = JSON.parse(
      (await callsheet(['agents', 'list', '--json'], one, cwd)).out,
    ) as Listed;
    const ids: string[] = [];
    for (let i = 1; i <= 45; i++) {
      const argv = [
        'agents',
        'create',
        '--name',
        `Agent ${i}`,
        '--system-prompt-file',
        'prompt.txt',
      ];
      const { code, out } = await callsheet(argv, one, cwd);
      expect(code).toBe(0);
      ids.push(out.trim());
    }
    expect(new Set(ids).size).toBe(45);

    const list = await callsheet(['agents', 'list', '--json'], one, cwd);
    const { items, complete } = JSON.parse(list.out) as Listed;
    expect(complete).toBe(true);
    expect(items.map(({ id }) => id)).toEqual([...before.items.map(({ id }) => id), ...ids]);

    const table = await callsheet(['agents', 'list'], one, cwd);
    expect(table.out).toMatch(/^AGENT +NAME\n/);
    expect(table.out).toContain(`${ids[44] ?? ''}  Agent 45\n`);

    const others = await callsheet(['agents', 'list'], two, cwd);
    expect(others.code).toBe(0);
    expect(others.out).not.toContain('Agent 45');
  });

  it('of the embedded service are still there the next time', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'prompt.txt'), 'You confirm appointments.');
    const create = await callsheet(
      [
        ...['agents', 'create', '--service', 'simulated', '--name', 'Rehearsal'],
        ...['--system-prompt-file', 'prompt.txt', '--voice', '{"language":"en-US"}', '--json'],
      ],
      {},
      cwd,
    );
    const created = JSON.parse(create.out) as { id: string; name: string };
    expect(created.name).toBe('Rehearsal');
    expect(create.err).toContain(`--agent ${created.id}`);
    const list = await callsheet(['agents', 'list', '--service', 'simulated'], {}, cwd);
    expect(list.out).toContain(`${created.id}  Rehearsal`);
  });

  it('need a key that the service knows', async () => {
    const cwd = tempFolder();
    const { url } = await simulatedService({ keys: ['one'] });
    const argv = ['agents', 'list', '--service-url', url];
    const missing = await callsheet(argv, {}, cwd);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain('VOICE_API_KEY is empty or not set');
    const wrong = await callsheet(argv, { VOICE_API_KEY: 'other-key' }, cwd);
    expect(wrong).toMatchObject({ code: 4, out: '' });
    expect(wrong.err).not.toContain('other-key');
  });

  it.each([
    [
      ['--system-prompt-file', 'no.txt'],
      '--system-prompt-file "no.txt" does not exist (ENOENT); looked for /',
    ],
    [['--system-prompt-file', 'empty.txt'], '--system-prompt-file "empty.txt" is empty'],
    [
      ['--system-prompt-file', 'latin1.txt'],
      '--system-prompt-file "latin1.txt" is not text in UTF-8',
    ],
    [['--system-prompt-file', 'p.txt', '--voice', '[1]'], '--voice "[1]" is not a JSON object'],
    [['--system-prompt-file', 'p.txt', '--voice', '{'], '--voice "{" is not a JSON object'],
  ])('are not created with %j', async (flags, message) => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'p.txt'), 'prompt');
    writeFileSync(join(cwd, 'empty.txt'), ' \n');
    writeFileSync(join(cwd, 'latin1.txt'), Buffer.from([0x62, 0xe9, 0x62]));
    const { code, err } = await callsheet(['agents', 'create', '--name', 'x', ...flags], {}, cwd);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
