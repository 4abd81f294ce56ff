import { expect, test } from 'vitest';
import { createDeliveryProtocol } from '../../../src/service/webhooks/delivery-protocol.ts';
import { aReceiver, SECRET, send } from '../../helpers/services/webhooks.ts';
import { PROFILE } from '../../service/helpers.ts';

const KEY = 'sk-live/4f9a2b+d8c7e6';

test('a signed delivery that repeats the key or its own secret is kept without them, and read as ever', async () => {
  const protocol = createDeliveryProtocol(PROFILE, [SECRET], KEY);
  if (protocol === null) throw new Error('the default profile has webhooks');
  const at = await aReceiver({ protocol });
  const echoed = [
    KEY,
    encodeURIComponent(KEY),
    Buffer.from(`Basic x:${KEY}`).toString('base64'),
    SECRET,
  ];
  const event = {
    type: 'lead.captured',
    id: `evt ${KEY}`,
    call_id: 'call-1',
    data: { lead: { name: 'Zoë', notes: echoed.join(' ') } },
  };
  const text = JSON.stringify(event).replace(
    `"evt ${KEY}"`,
    JSON.stringify(event.id).replace('/', '\\/'),
  );
  const { status } = await send(at.url, Buffer.from(text), {
    headers: { 'user-agent': `agent ${KEY}` },
  });
  expect(status).toBe(200);
  const [kept] = await at.kept();
  const found = await at.store.findDelivery(kept?.id ?? '');
  const body = Buffer.from(found?.body ?? '').toString();
  expect(found).toMatchObject({ signed: true });
  for (const form of [...echoed, SECRET.slice(6), KEY.replace('/', '\\/')]) {
    expect(body + JSON.stringify(found)).not.toContain(form);
  }
  expect(protocol.read(Buffer.from(body), {})).toMatchObject({
    meaning: 'lead_captured',
    callId: 'call-1',
    lead: { name: 'Zoë', notes: expect.stringContaining('[key]') as string },
  });
});

test('a delivery without a secret is kept byte for byte, whatever it is', async () => {
  const at = await aReceiver();
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x28, 0x25, 0x34, 0x31, 0x5c, 0x2f, 0x7d]);
  await send(at.url, bytes);
  const [kept] = await at.kept();
  expect(Buffer.from((await at.store.findDelivery(kept?.id ?? ''))?.body ?? '')).toEqual(bytes);
});
