import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aPhone } from '../../../helpers/factory.ts';
import { aDesk, RUN } from '../desk.ts';

const SEND = 'send: { phone: phone_number, agent: agent_id }';

/** A desk with a profile that sends `body` beside the number, and the list. */
async function aDeskWith(body: string, list: string) {
  const { at, service } = await aDesk();
  const text = readFileSync('campaigns/profiles/voice-agent.yaml', 'utf8');
  at.write(
    'mine.yaml',
    text.replace(SEND, `body: { phone_number: '{{phone}}', agent_id: '{{agent}}', ${body} }`),
  );
  at.write('leads.csv', list);
  const sent = (name: string) =>
    service.asked.filter(({ path }) => path.endsWith('/outbound')).map(({ body: b }) => b[name]);
  return { at, service, sent, run: () => at.run([...RUN, '--profile', './mine.yaml']) };
}

describe('a profile that greets people by their names', () => {
  it('knows them by the columns of each list, and a blank cell pauses nothing', async () => {
    const { at, sent, run } = await aDeskWith(
      "hello: 'Hi {{firstName|there}}, {{company}}'",
      `Vorname,Firma,Telefon\nZoë,Acme,${aPhone(1)}\n,,${aPhone(2)}\n`,
    );
    expect((await run()).code).toBe(0);
    at.write('more.csv', `first_name,mobile,business name\nBo,${aPhone(3)},Bo & Co\n`);
    expect((await at.run(['import', 'leads', 'more.csv'])).code).toBe(0);
    const again = ['run', 'leads', '--profile', './mine.yaml'];
    expect((await at.run(again)).code).toBe(0);
    expect(sent('hello').toSorted()).toEqual(['Hi Bo, Bo & Co', 'Hi Zoë, Acme', 'Hi there, ']);
  });

  it('pauses before the first call where the list has no such column, and says how to name it', async () => {
    const { sent, run } = await aDeskWith(
      "name: '{{lastName}}'",
      `who,phone\nZoë,${aPhone(1)}\nBo,${aPhone(2)}\n`,
    );
    const { code, err } = await run();
    expect([code, sent('name')]).toEqual([5, []]);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('(--map lastName="NAME")');
  });

  it('takes the column that the operator names', async () => {
    const { at, sent } = await aDeskWith("name: '{{lastName}}'", `who,phone\nZoë,${aPhone(1)}\n`);
    const run = [...RUN, '--profile', './mine.yaml', '--map', 'lastName=who'];
    expect((await at.run(run)).code).toBe(0);
    expect(sent('name')).toEqual(['Zoë']);
  });

  it('is told by `profile check` to use them', async () => {
    const { at } = await aDeskWith("a: '{{firstName|there}} {{lead.City?}}', b: '{{from?}}'", '');
    const { code, out } = await at.run(['profile', 'check', './mine.yaml', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      says: { 'of the person': '{{firstName|there}} {{lead.City?}}' },
    });
  });
});
