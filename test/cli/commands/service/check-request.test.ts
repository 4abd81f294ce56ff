import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contentsOf } from '../../../helpers/files/folder-contents.ts';
import { aDesk } from '../desk.ts';

/** The default profile with another body. */
function profileWith(body: string) {
  const usual = '  send: { phone: phone_number, agent: agent_id }\n';
  const text = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');
  expect(text).toContain(usual);
  return text.replace(usual, () => `  body: ${body}\n`).replace('  variables: none\n', '');
}

const BODY =
  "{ phone_number: '{{phone}}', agent_id: '{{agent}}', who: '{{fullName|there}}', ref: '{{attempt}}', data: '{{variables}}' }";

/** A desk whose service gets the columns of the list. */
async function aBench() {
  const { at, service } = await aDesk();
  at.write('mine.yaml', profileWith(BODY));
  const check = (...argv: string[]) =>
    at.run(['check', ...argv, '--profile', 'mine.yaml', '--request']);
  const sent = () => service.asked.filter(({ path }) => path === '/v1/calls/outbound');
  return { at, check, sent, url: service.url };
}

const LIST = ['leads.csv', '--agent', 'ag_1'];

it('check --request prints what the first call then sends, before and after the import, and writes nothing', async () => {
  const { at, check, sent, url } = await aBench();
  const before = contentsOf(at.cwd);
  const { code, out, err } = await check(...LIST);
  expect(contentsOf(at.cwd)).toEqual(before);
  expect([code, err]).toEqual([
    0,
    `POST ${url}/v1/calls/outbound, for Al (+12125550100), with the key in a header.\nNobody was called, nothing was written.\n`,
  ]);
  expect(sent()).toEqual([]);

  const run = ['--profile', 'mine.yaml', '--set', 'polling.floor=20ms'];
  const first = await at.run(['import', 'leads', ...LIST, '--profile', 'mine.yaml', '--new-db']);
  expect(first.code).toBe(0);
  const stored = contentsOf(at.cwd);
  const imported = await check('leads', '--json');
  expect(contentsOf(at.cwd)).toEqual(stored);
  await at.run(['run', 'leads', ...run, '--limit', '1']);
  const body = sent()[0]?.body ?? {};
  const shown = JSON.parse(imported.out) as { person: unknown; body: string };
  expect(shown.person).toEqual({ phone: '+12125550100', name: 'Al' });
  expect(JSON.parse(shown.body)).toEqual(body);
  // The key of a call is made of its campaign.
  expect(JSON.parse(out)).toEqual({ ...body, ref: 'KEY-OF-THE-CALL' });

  const next = await check('leads');
  await at.run(['run', 'leads', ...run, '--limit', '1']);
  expect(JSON.parse(next.out)).toEqual(sent()[1]?.body);
  expect(next.err).toContain('for Bo (+12125550101)');
});

it('check --request says what the body lacks, and what is missing to know it', async () => {
  const { at, check } = await aBench();
  at.write('mine.yaml', profileWith(BODY.replace('{{fullName|there}}', '{{email}}')));
  const lacking = await check(...LIST);
  expect([lacking.code, lacking.out]).toEqual([1, '']);
  expect(lacking.err).toContain('would not be sent: the body needs {{email}}, and there is none');
  const unready = await check('leads.csv');
  expect(unready.code).toBe(0);
  expect(unready.err).toContain('No request is known');
});
