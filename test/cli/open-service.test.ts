import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openService } from '../../src/app/services/service.ts';
import type { ServiceConfig } from '../../src/config/resolve-service.ts';
import { fakeWorld } from '../helpers/fake-io.ts';
import { tempFolder } from '../helpers/files/temp.ts';

async function open(overrides: Partial<ServiceConfig>) {
  const path = 'campaigns/profiles/reference.yaml';
  const text = readFileSync(path, 'utf8').replace("'{{from?}}'", "'{{from}}'");
  const config: ServiceConfig = {
    name: 'main',
    url: 'http://127.0.0.1:1',
    profile: { path, text },
    key: 'sk-1',
    from: '+12125550199',
    ids: {},
    maxCalls: null,
    webhookSecretEnv: [],
    keyFile: null,
    simulated: false,
    live: false,
    ...overrides,
  };
  const opened = await openService(config, {}, fakeWorld({ cwd: tempFolder() }));
  onTestFinished(() => opened.close());
  return opened;
}

it("takes the limits of the profile where the operator's own are not given", async () => {
  const opened = await open({});
  expect([opened.config.maxCalls, opened.longestCallMs]).toEqual([25, 1_800_000]);
  expect((await open({ maxCalls: 7 })).config.maxCalls).toBe(7);
});

it('is refused before the first call when the profile sends a caller and none is given', async () => {
  await expect(open({ from: null })).rejects.toMatchObject({
    code: 'SERVICE_FROM_MISSING',
    exitCode: 2,
    message: expect.stringContaining('Service main has no number to call from') as string,
  });
});
