import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk, rowsOf } from '../helpers/callsheet.ts';
import { KEY, ledgerAt, simulatedService } from '../helpers/services/simulated-service.ts';

const AL = '+12125550100';
const BO = '+12125550101';
const PROMPT =
  'You speak with {{first_name}} about {{plan}}, due {{renewal_date}}. Be {{ tone | default: kind }}.';
/** The profile of the embedded service, whose dial also carries the row: in place of `send` and `variables: none`. */
const BODY = `  body: { phone_number: '{{phone}}', agent_id: '{{agent}}', fields: '{{variables?}}' }`;

/** The embedded service with an agent of this prompt; `takes`: its profile sends the row. */
async function aScene({ prompt = PROMPT, takes = true } = {}) {
  const service = await simulatedService();
  const at = desk({ MAIN_KEY: KEY });
  at.write('prompt.txt', prompt);
  at.write('leads.csv', `phone,first_name\n${AL},Al\n${BO},\n`);
  const text = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');
  at.write(
    'own.yaml',
    text
      .replace(/^ {2}send: \{ phone[^\n]*\n/m, `${BODY}\n`)
      .replace(/^ {2}variables: none\n/m, ''),
  );
  const profile = takes ? './own.yaml' : 'voice-agent';
  at.write(
    'services.yaml',
    `main: { url: '${service.url}', keyEnv: MAIN_KEY, profile: ${profile} }\n`,
  );
  const main = ['--services', 'services.yaml', '--service', 'main'];
  const made = await at.run([
    'agents',
    'create',
    '--name',
    'Renewals',
    '--system-prompt-file',
    'prompt.txt',
    ...main,
    '--json',
  ]);
  const { id } = JSON.parse(made.out) as { id: string };
  const rest = [...main, '--agent', id, '--set', 'polling.floor=20ms'];
  return {
    at,
    id,
    check: (list = 'leads.csv', more: string[] = []) => at.run(['check', list, ...rest, ...more]),
    run: (list = 'leads.csv', more: string[] = []) => at.run(['run', list, ...rest, ...more]),
    rang: async () =>
      (await ledgerAt(service.url, KEY)).numbers.map((each) => each.phone_number).toSorted(),
  };
}

const REQUIRE = ['--set', 'variables=require'];

describe('the row of a list, on its way to the agent', () => {
  it('is checked against the prompt: what the list lacks, what is blank for how many, what is sent under which names', async () => {
    const { check, rang } = await aScene();
    const { code, err } = await check();
    expect(code).toBe(0);
    expect(err).toContain(`The agent's prompt needs first_name, plan, renewal_date of each row.
  first_name: blank for 1 person
  plan: the list has no column "plan": blank for 2 people
  renewal_date: the list has no column "renewal_date": blank for 2 people
Sent with each call: every column under its own name in fields (phone, first_name).
`);
    expect(await rang()).toEqual([]);
  });

  it('is named in the plan before the calls, which go on where nothing is required', async () => {
    const { run, rang } = await aScene();
    const { code, err } = await run();
    expect(code).toBe(0);
    expect(err).toContain('  first_name: blank for 1 person\n');
    expect(err.indexOf('  plan: the list has no column "plan"')).toBeLessThan(
      err.indexOf('2 leads: '),
    );
    expect(await rang()).toEqual([AL, BO]);
  });

  it('reaches no agent of a service without a field for it, which is said whatever the list has', async () => {
    const { at, check, run } = await aScene({ takes: false });
    const none =
      'The agent is given the number alone, no name: the service takes no more with a call.';
    expect((await check()).err).toContain(none);
    expect((await run()).err).toContain(none);
    const refused = await run('leads.csv', ['--name', 'other', ...REQUIRE]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('the agent needs "first_name", and no call sends it');
    expect((await check('leads.csv', ['--name', 'other', ...REQUIRE])).code).toBe(2);
    expect((await at.run(['status', 'other', '--json'])).code).toBe(2);
  });
});

describe('variables: require', () => {
  const HELD = '"first_name" is blank in the list';
  const hello = () => aScene({ prompt: 'Hello {{first_name}}.' });

  it('calls nobody whose row lacks a word of the prompt, says why everywhere, and calls them once a list has it', async () => {
    const { at, run, rang } = await hello();
    const { code, err } = await run('leads.csv', REQUIRE);
    expect([code, await rang()]).toEqual([3, [AL]]);
    expect(err).toContain('first_name: blank for 1 person');
    const explained = await at.run(['explain', BO]);
    expect(explained.out + explained.err).toContain(HELD);
    const held = '1 person who waits is held by variables, blank in the list: first_name.';
    expect((await at.run(['status', 'leads'])).err).toContain(held);
    await at.run(['export', 'leads', '-o', 'out.csv']);
    expect(
      rowsOf(at.read('out.csv')).find((row) => row['call_phone'] === BO)?.['call_reason'],
    ).toContain(HELD);

    at.write('mended.csv', `phone,first_name\n${AL},Al\n${BO},Bo\n`);
    await at.run(['import', 'leads', 'mended.csv', '--services', 'services.yaml']);
    expect((await at.run(['status', 'leads'])).err).not.toContain('held by variables');
    expect([(await run('leads')).code, await rang()]).toEqual([0, [AL, BO]]);
  });

  it('is counted again for those who wait in the campaign already', async () => {
    const { run } = await hello();
    await run('leads.csv', REQUIRE);
    expect((await run('leads')).err).toContain('  first_name: blank for 1 person\n');
  });

  it('does not hold a number that is called by itself', async () => {
    const { at, id, rang } = await hello();
    const main = ['--services', 'services.yaml', '--service', 'main', '--agent', id];
    const { code } = await at.run(['call', BO, ...main, ...REQUIRE, '--set', 'polling.floor=20ms']);
    expect([code, await rang()]).toEqual([0, [BO]]);
  });

  it('lets everybody be called again once it is taken away', async () => {
    const { at, run, rang } = await hello();
    await run('leads.csv', REQUIRE);
    await at.run(['set', 'leads', 'variables=none']);
    expect((await run('leads')).code).toBe(0);
    expect(await rang()).toEqual([AL, BO]);
  });

  it('takes columns by name, also where the service does not show the prompt', async () => {
    const { at, run, rang } = await aScene({ prompt: 'Be kind.' });
    at.write('own.yaml', at.read('own.yaml').replace(/^ {4}systemPrompt: .*\n/m, ''));
    const unread = await run('leads.csv', REQUIRE);
    expect(unread.code).toBe(2);
    expect(unread.err).toContain('variables: require needs the prompt of agent');
    const named = await run('leads.csv', ['--set', 'variables=first_name']);
    expect(named.err).toContain("The agent's prompt was not read");
    expect([named.code, await rang()]).toEqual([3, [AL]]);
  });

  it('holds everybody from the moment it is set until the prompt has been read', async () => {
    const { at, run, rang } = await hello();
    await at.run(['import', 'leads', 'leads.csv', '--services', 'services.yaml']);
    await run('leads.csv', ['--limit', '1']);
    expect(await rang()).toEqual([AL]);
    await at.run(['set', 'leads', 'variables=require']);
    const explained = await at.run(['explain', BO]);
    expect(explained.out + explained.err).toContain('has not been read since');
    await run('leads');
    const again = await at.run(['explain', BO]);
    expect(again.out + again.err).toContain(HELD);
    expect(await rang()).toEqual([AL]);
  });
});
