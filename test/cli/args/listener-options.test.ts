import { expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';

const RUN = ['run', 'leads.csv', '--agent', 'ag_1', '--service-url', 'http://127.0.0.1:9'];

it.each([
  [['serve', '--port', '99999'], '--port "99999"'],
  [[...RUN, '--webhooks', '--port', '99999'], '--port "99999"'],
  [['serve', '--public-url', 'calls'], '--public-url "calls" is not an address'],
])('%j is refused before a database is made', async (argv, message) => {
  const at = desk({ VOICE_API_KEY: 'k' });
  at.write('leads.csv', 'phone\n+12125550100\n');

  const { code, err } = await at.run([...argv, '--db', 'new.db']);

  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(at.has('new.db')).toBe(false);
});
