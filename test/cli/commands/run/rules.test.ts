import { ruleNames } from '../../../../src/config/rules/load-rule.ts';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desk } from '../../../helpers/callsheet.ts';
import { json } from '../desk.ts';

const OWN = `about: Afternoons only
hours:
  mon-fri: 13:30-18:00
  sat-sun: closed
caps: [{ calls: 5, per: 7d }]
`;

function atHome(files: Record<string, string>) {
  const at = desk();
  mkdirSync(at.path('campaigns/rules'), { recursive: true });
  at.write('campaigns/services.yaml', '');
  for (const [name, text] of Object.entries(files)) at.write(name, text);
  return at;
}

describe('rules list', () => {
  it("names the rules of callsheet and the operator's own", async () => {
    const at = atHome({ 'campaigns/rules/afternoons.yaml': OWN });
    const { code, out } = await at.run(['rules', 'list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^conservative +everywhere +Careful hours/m);
    expect(out).toMatch(/^us-states +US, PR, GU, VI, AS, MP +/m);
    expect(out).toMatch(/^afternoons +everywhere +Afternoons only \(your own\)$/m);
    const { items } = (await json(at, ['rules', 'list'])) as { items: unknown[] };
    expect(items).toContainEqual({
      name: 'afternoons',
      about: 'Afternoons only',
      appliesTo: [],
      regions: [],
      checked: null,
      path: at.path('campaigns/rules/afternoons.yaml'),
      shipped: false,
    });
  });
});

describe('rules show', () => {
  it('draws the week, and says caps, silences, consent and where each figure is from', async () => {
    const { code, out } = await desk().run(['rules', 'show', 'fr']);
    expect(code).toBe(0);
    expect(out).toContain(
      'fr: Telephone marketing, France (made for FR, GP, GF, MQ, RE, YT, BL, MF, PM)',
    );
    expect(out).toContain('0     6     12    18\n');
    expect(out).toMatch(/^Mon +10:00-13:00 14:00-20:00 +\.{10}###\.#{6}\.{4}$/m);
    expect(out).toMatch(/^Sun +closed +\.{24}$/m);
    expect(out).toMatch(/^holidays +closed/m);
    expect(out).toContain("          public holidays are those of the person's country or state");
    expect(out).toContain('caps      4 calls to a number in any 30d\n');
    expect(out).toContain('no call for 60d after a refusal in a conversation\n');
    expect(out).toContain('consent   a column of the list says that the person agreed (fr)');
    expect(out).toMatch(/S fr hours [^]*art\. D223-9 [^]*checked\s+2026-11-27/);
  });

  it('marks weak figures, and hours that are open in part', async () => {
    const at = atHome({ 'mine.yaml': OWN });
    const { out } = await at.run(['rules', 'show', './mine.yaml']);
    expect(out).toMatch(/^Fri +13:30-18:00 +\.{13}-####\.{6}$/m);
    expect(out).toMatch(/^holidays +like other days$/m);
    expect(out).toContain('J mine caps (5 calls per 7d): no source given WEAK, verify it');
  });

  it('says which of several rules decides each figure', async () => {
    const at = atHome({ 'campaigns/rules/afternoons.yaml': OWN });
    const { out } = await at.run(['rules', 'show', 'conservative', 'afternoons', 'us-debt']);
    expect(out).toMatch(/^Mon +13:30-18:00 .* {2}afternoons$/m);
    expect(out).toMatch(/^Sun +closed .* {2}conservative & afternoons$/m);
    expect(out).toMatch(/^holidays +closed .* {2}conservative$/m);
    expect(out).toContain('3 calls to a number in any 24h  (conservative)');
    expect(out).toContain('5 calls to a number in any 7d  (afternoons)');
    expect(out).not.toContain('7 calls to');
    expect(out).toContain('no call for 7d after a conversation  (us-debt)');
  });

  it('shows what holds in a state, on one screen of 100 columns', async () => {
    const { out } = await desk().run(['rules', 'show', 'us-states', '--region', 'US-RI']);
    expect(out).toMatch(/^Mon +09:00-18:00 +\.{9}#{9}\.{6} {2}us-states US-RI$/m);
    expect(out).toMatch(/^holidays +closed/m);
    const sources = ['rules', 'show', 'us-states', '--region', 'US-RI', '--sources'];
    expect((await desk().run(sources)).out).toMatch(/RIGL\s+5-61-2\(2\)/);
    expect(out).toContain('duties    say at the start who calls');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'identify the caller within 30 seconds (us-states)',
    );
    expect(out).not.toContain('Florida');
    const lines = out.split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('says who has stricter hours without one: the week above is the most that anybody has', async () => {
    const { out } = await desk().run(['rules', 'show', 'us-states']);
    expect(out).toContain('Hours, or less by region, own');
    expect(out).toMatch(/^Stricter by region, all together \(\* weak\)/m);
    expect(out).toContain('  US-FL, MD, OR: Mon-Sun 08:00-20:00; 3 calls per 24h\n');
    expect(out).toMatch(/^ {2}US\* \(a US number, state not known\): Mon-Fri 10:00-17:00/m);
    expect(out).toMatch(/AL\*, /);
    expect(out).toContain('caps      none for everybody; some regions have some, see below\n');
    expect(out).not.toContain('Besides');
    expect(out.split('\n').length).toBeLessThanOrEqual(48);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('names only regions in which the rules come to less, with what they come to', async () => {
    const { out } = await desk().run(['rules', 'show', 'us-states,conservative']);
    expect(out).toContain(
      '  US-RI: Mon-Fri 09:00-18:00, Sat 10:00-17:00, Sun closed, holidays closed\n',
    );
    expect(out).not.toContain('US-FL');
  });

  it.each([
    ['us-states'],
    ['us-states', 'us-debt'],
    ['us-states', 'us-debt', 'conservative', 'ca', 'uk'],
    ruleNames(),
  ])('fits on a screen, whatever the rules and the region: %s', async (...names) => {
    for (const region of [[], ['--region', 'US-FL'], ['--region', 'US-TX']]) {
      const { out } = await desk().run(['rules', 'show', ...names, ...region]);
      const lines = out.trimEnd().split('\n');
      expect(lines.length).toBeLessThanOrEqual(48);
      // A command stays whole, to be copied.
      const texts = lines.filter((line) => !line.startsWith('`'));
      expect(Math.max(...texts.map((line) => line.length))).toBeLessThanOrEqual(100);
    }
  });

  it('has the sources where they fit, else says how they are shown and which figures are weak', async () => {
    const rules = ['rules', 'show', 'us-states', 'us-debt', 'conservative'];
    const { out } = await desk().run(rules);
    expect(out).toContain('Weak, to be verified: conservative hours, conservative caps.');
    expect(out).not.toContain('47 CFR');
    expect((await desk().run([...rules, '--sources'])).out).toContain('47 CFR');
    expect((await desk().run(['rules', 'show', 'us-federal'])).out).toContain('47 CFR');
  });

  it('names the next public holiday of a region', async () => {
    const { out } = await desk().run(['rules', 'show', 'us-states', '--region', 'US-RI']);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/; the next is \d{4}-\d\d-\d\d /);
  });

  it('says of several rules that each holds for everybody, and what it was made for', async () => {
    const { out } = await desk().run(['rules', 'show', 'us-states', 'us-debt', 'ca']);
    expect(out).toMatch(/^us-debt: .* \(made for US, PR, GU, VI, AS, MP\)$/m);
    expect(out).toContain(
      'Each of these rules holds for everybody in the campaign, whatever it was made for; the strictest\ndecides, figure by figure.',
    );
    const alone = await desk().run(['rules', 'show', 'us-debt']);
    expect(alone.out).toContain(
      'It holds for everybody in the campaign, whatever it was made for.',
    );
  });

  it('says which limits a region has of its own', async () => {
    const florida = await desk().run([
      'rules',
      'show',
      'us-states',
      'us-debt',
      '--region',
      'US-FL',
    ]);
    expect(florida.out.replaceAll(/\s+/g, ' ')).toContain(
      'People of US-FL have stricter limits in us-states, none of their own in us-debt.',
    );
    const berlin = await desk().run(['rules', 'show', 'us-states', '--region', 'DE']);
    expect(berlin.out.replaceAll(/\s+/g, ' ')).toContain(
      'People of DE have none of their own in us-states.',
    );
  });

  it('says that always allows calls at any time', async () => {
    const { out } = await desk().run(['rules', 'show', 'always']);
    expect(out).toContain('Hours of everybody: at any time\n');
    expect(out).toContain('caps      none\n');
  });

  it('has the same as data', async () => {
    const shown = await json(desk(), ['rules', 'show', 'us-states', '--region', 'US-FL']);
    expect(shown).toMatchObject({
      region: 'US-FL',
      rules: [
        {
          name: 'us-states',
          appliesTo: ['US', 'PR', 'GU', 'VI', 'AS', 'MP'],
          listAge: { ms: 2_678_400_000, registry: 'us-national', byArea: true },
          consentRequired: true,
        },
      ],
      week: {
        days: [
          { day: 'mon', windows: [{ from: 480, to: 1_200 }], by: ['us-states US-FL'] },
          ...Array.from({ length: 6 }, () => expect.anything() as unknown),
        ],
        caps: expect.arrayContaining(['3 calls per 24h']) as unknown,
      },
    });
  });

  it('refuses names of rules and regions that are not known', async () => {
    const missing = await desk().run(['rules', 'show', 'conservativ']);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain('did you mean "conservative"?');
  });

  it.each([
    ['FL', 'US-FL'],
    ['on', 'CA-ON'],
    ['us-fl', 'US-FL'],
    ['UK', 'GB'],
  ])('takes the region %s to mean %s', async (typed, meant) => {
    const { code, err } = await desk().run(['rules', 'show', 'us-states', '--region', typed]);
    expect(code).toBe(2);
    expect(err).toContain(`"${typed}" is not a country or state`);
    expect(err).toContain(`(did you mean ${meant}?)`);
  });
});

describe('a region', () => {
  it('that is near no other is refused without a guess', async () => {
    const { err } = await desk().run(['rules', 'show', 'us-states', '--region', 'XX']);
    expect(err).toContain('"XX" is not a country or state that callsheet knows.');
  });

  it('of a rule file without its country is refused with the state that was meant', async () => {
    const at = atHome({
      'mine.yaml': `${OWN}regions: { FL: { caps: [{ calls: 1, per: 7d }] } }\n`,
    });
    const { code, err } = await at.run(['rules', 'check', './mine.yaml']);
    expect(code).toBe(2);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'regions: "FL" is not a country or state in ISO 3166 such as US or US-FL; did you mean US-FL?',
    );
  });
});

describe('rules check', () => {
  it('says that a file is in order, which figures are weak and when holidays end', async () => {
    const at = atHome({ 'mine.yaml': OWN });
    const { code, out, err } = await at.run(['rules', 'check', './mine.yaml', 'fr']);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain(`${at.path('mine.yaml')} is a rule file in order.`);
    expect(err).toContain('Rules mine: 2 figures of 2 are weak (hours, caps)');
    expect(err).toContain('Public holidays are known from 2026 to 2028; outside these years fr');
    expect(await json(at, ['rules', 'check', './mine.yaml'])).toMatchObject([
      { path: at.path('mine.yaml'), warnings: [expect.stringContaining('weak')] },
    ]);
  });

  it('names every mistake of a file with line and column, exit 2', async () => {
    const broken = OWN.replace('13:30-18:00', '18:00-13:30').replace('calls: 5', 'calls: 0');
    const at = atHome({ 'mine.yaml': broken });
    const { code, err } = await at.run(['rules', 'check', './mine.yaml']);
    expect(code).toBe(2);
    expect(err).toContain('mine.yaml has 2 problems:');
    expect(err).toContain('mine.yaml:3:12: hours.mon-fri "18:00-13:30"');
    expect(err).toContain('mine.yaml:5:17: caps[0].calls "0"');
  });
});
