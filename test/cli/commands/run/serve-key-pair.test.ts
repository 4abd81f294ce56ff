import { expect, onTestFinished, test } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { startProvider } from '../../../helpers/providers/start.ts';

const TEST = ['serve', '--test-webhook', '--port', '0', '--db', 'a.db'];

test('serve --test-webhook says how far a delivery came that only the service can sign', async () => {
  const provider = await startProvider('telnyx');
  onTestFinished(() => provider.close());
  const { url, key, from, ids, webhookSecret } = provider;
  const at = desk({ THEIR_KEY: key, THEIR_PUBLIC_KEY: webhookSecret ?? '' });
  const entry = { url, profile: 'telnyx', keyEnv: 'THEIR_KEY', from, ids };
  const line = JSON.stringify({ ...entry, webhookSecretEnv: 'THEIR_PUBLIC_KEY' });
  at.write('services.yaml', `theirs: ${line}\n`);

  const ended = await at.run([...TEST, '--services', 'services.yaml', '--service', 'theirs']);
  expect(ended).toMatchObject({
    code: 0,
    err: expect.stringContaining('to callsheet, which refused it as it must') as string,
  });
});
