import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aDesk, RUN } from '../desk.ts';

it('a key file that others can read is told of once a command, with the command that closes it', async () => {
  const { at } = await aDesk();
  const key = at.write('my key', 'k\n');
  const run = () => at.run([...RUN, '--key-file', 'my key']);
  chmodSync(key, 0o640);
  const { code, err } = await run();
  expect(code).toBe(0);
  expect(err.match(/Warning: .*/g)).toEqual([
    `Warning: others on this machine can use the key in ${key} (mode 640); \`chmod 600 '${key}'\` keeps it to you.`,
  ]);
  expect(err).not.toMatch(/\bk\n/);
  chmodSync(key, 0o600);
  expect((await run()).err).not.toContain('Warning');
});

it('a key file of somebody else, as a mounted secret is, is not told of', async () => {
  const { at } = await aDesk();
  chmodSync(at.write('key', 'k\n'), 0o444);
  const doctor = ['doctor', '--key-file', 'key'];
  expect((await at.run(doctor)).err).toContain('(mode 444)');
  const { err } = await at.run(doctor, { userId: 123_456 });
  expect(err).not.toContain('Warning');
});
