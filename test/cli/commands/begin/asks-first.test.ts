import { expect, test } from 'vitest';
import { aDesk } from '../desk.ts';

test.each(['run', 'import spring'])(
  '%s asks the service for the agent before it reads a list, which may take long',
  async (command) => {
    const { at } = await aDesk();
    at.write('broken.csv', 'name,street\nAl,Main Street\n');
    const { code, err } = await at.run([...command.split(' '), 'broken.csv', '--agent', 'ag_9']);
    expect(code).toBe(2);
    expect(err).toContain('has no agent "ag_9"; it has ag_1');
    expect(err).not.toContain('phone column');
  },
);

test('another agent than the campaign has is refused before the list is read', async () => {
  const { at } = await aDesk();
  await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
  at.write('broken.csv', 'name,street\nAl,Main Street\n');
  const { err } = await at.run(['run', 'broken.csv', '--name', 'spring', '--agent', 'ag_9']);
  expect(err).toContain('Campaign "spring" calls with agent "ag_1", not "ag_9"');
});

test('a campaign that exists takes rows without its service', async () => {
  const { at, service } = await aDesk();
  await at.run(['import', 'spring', 'leads.csv', '--agent', 'ag_1']);
  service.behave({ agents: () => ({ status: 500, body: {} }) });
  at.write('more.csv', 'name,phone\nFay,+12125550150\n');
  service.asked.length = 0;
  const { code, err } = await at.run(['import', 'spring', 'more.csv']);
  expect(service.asked).toEqual([]);
  expect([code, err]).toEqual([0, expect.stringContaining('1 row, 1 added')]);
});

test('check asks the service before it reads a list, too, and reads it whatever the answer is', async () => {
  const { at, service } = await aDesk();
  at.write('broken.csv', 'name,street\nAl,Main Street\n');
  const broken = await at.run(['check', 'broken.csv', '--agent', 'ag_9']);
  expect(broken.err).toContain('has no phone column');
  expect(service.asked.map(({ path }) => path)).toEqual(['/v1/agents']);
  const { code, out, err } = await at.run(['check', 'leads.csv', '--agent', 'ag_9']);
  expect(code).toBe(1);
  expect(out + err).toContain('3 good');
  expect(out + err).toContain('has no agent "ag_9"');
});
