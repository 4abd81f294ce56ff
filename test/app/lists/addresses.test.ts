import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../helpers/until.ts';
import { aFolder, listOf } from './a-folder.ts';

it('two processes that ask an address at the same time each take what they got', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    if (responses.length === 1) response.write(listOf(1, 2));
    else response.end(listOf(3));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const from = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/a.csv`];
  const { process, waiting } = await aFolder({ from });
  const slow = process(undefined, 999_998).begin();
  await until(() => responses.length === 1);
  await process(undefined, 999_999).begin();
  expect(await waiting()).toBe(1);

  responses[0]?.end(listOf(4).replace('phone\n', ''));
  await slow;
  expect(await waiting()).toBe(4);
});
