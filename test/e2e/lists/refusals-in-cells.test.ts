import { describe, expect, it } from 'vitest';
import { desk } from '../../helpers/callsheet.ts';
import { aPhone } from '../../helpers/factory.ts';
import { AGENT, KEY, simulatedService } from '../../helpers/services/simulated-service.ts';
import { csv } from './csv.ts';

const SET = ['--agent', AGENT, '--set', 'polling.floor=20ms', '--rules', 'always'];

async function aDesk() {
  const service = await simulatedService({ fixedCallMs: 1_000 });
  const at = desk({ VOICE_API_URL: service.url, VOICE_API_KEY: KEY });
  return { at, rang: () => service.ledger().map((entry) => entry.phone_number) };
}

/** Calls a list of one row a cell, and says for each cell whether its person rang, and is on the suppression list. */
async function runCells(header: string, cells: readonly string[]) {
  const { at, rang } = await aDesk();
  at.write('leads.csv', csv([['phone', header], ...cells.map((cell, n) => [aPhone(n), cell])]));
  const { code, err } = await at.run(['run', 'leads.csv', ...SET]);
  const listed = (await at.run(['suppress', 'list'])).out;
  const rung = rang();
  const said = cells.map((cell, n) => {
    const phone = aPhone(n);
    const what = rung.includes(phone) ? 'rang' : 'silent';
    return [cell, listed.includes(phone) ? `${what}, suppressed` : what];
  });
  return { code, err, said: Object.fromEntries(said) as Record<string, string> };
}

const all = (cells: readonly string[], what: string) =>
  Object.fromEntries(cells.map((cell) => [cell, what]));

/** Statuses by which nobody rings, in any campaign. */
const REFUSING = [
  'Cease & Desist',
  'Consent revoked',
  'GDPR objection - phone',
  'Removal requested',
  'Take me off your list',
  'Do not recall',
  'Attorney represented',
  'möchte nicht mehr angerufen werden',
  'ne souhaite plus être appelé',
  "Retirer de la liste d'appels",
  'no volver a llamar',
  'solicita baja llamadas',
  'remover da lista de ligações',
  'ønsker ikke at blive ringet op',
  'prosił o niedzwonienie',
  'nem kér több hívást',
  'внесён в стоп-лист',
  'μην ξανακαλέσετε',
  '別再打電話',
  '客户要求不再联系',
];

/** Statuses that sound like a refusal and are none. */
const HARMLESS = [
  'Call blocked by carrier - retry',
  'Phone busy (DND mode), try later',
  'No DNC',
  'DNC: no',
  'DNC clean',
  'Removed from DNC',
  'Not suppressed',
  'Did not opt out',
  'Not blacklisted',
  'Unsubscribed (email only)',
  'Unsubscribed from SMS',
  'Newsletter unsubscribed',
  'DNC scrub ok',
  'Robinsonliste geprüft: nein',
  'non ancora chiamato',
];

describe('a status', () => {
  it('that refuses calls keeps its person from being called by any campaign', async () => {
    const { code, err, said } = await runCells('Status', [...REFUSING, 'New']);
    expect([code, err]).toEqual([0, expect.stringContaining(`${REFUSING.length} suppressed`)]);
    expect(said).toEqual({ ...all(REFUSING, 'silent, suppressed'), New: 'rang' });
  });

  it('that denies a refusal, or is about e-mail or the line, keeps nobody from being called', async () => {
    const { said } = await runCells('Status', HARMLESS);
    expect(said).toEqual(all(HARMLESS, 'rang'));
  });

  it('of somebody who cannot be called holds for this campaign alone', async () => {
    const cells = ['Deceased', 'Wrong number', 'Inactive', 'Blocked', 'Active = No', 'do not use'];
    const { err, said } = await runCells('Status', [...cells, 'New']);
    expect(said).toEqual({ ...all(cells, 'silent'), New: 'rang' });
    expect(err).toContain('is not called by this campaign ("Status": "Deceased")');
  });

  it.each([
    'Do not call after 6pm',
    'Do not call at work',
    'Wants callback, do not call mornings',
    'nicht vor 10 Uhr anrufen',
  ])('that refuses calls at times is asked about: %s', async (cell) => {
    const { code, err, said } = await runCells('Status', [cell, 'New']);
    expect([code, said]).toEqual([2, all([cell, 'New'], 'silent')]);
    expect(err).toContain(`"${cell}"`);
  });
});

describe('a column', () => {
  const HEADERS: [header: string, no: string, yes: string][] = [
    ['Litigator Flag', 'Y', 'N'],
    ['Attorney Represented', 'Yes', 'No'],
    ['Call Restriction', 'No calls', 'None'],
    ['Permission (Voice)', 'Denied', 'Granted'],
    ['Exclude from dialler', 'Yes', 'No'],
    ['DSGVO Telefon', 'widerrufen', 'erteilt'],
    ['Liste orange', 'Oui', 'Non'],
    ['Consentement voix', 'Non', 'Oui'],
    ['REUS', 'Sí', 'No'],
    ['Lista de exclusión', 'Sí', 'No'],
    ['Bloqueio Procon', 'Sim', 'Não'],
    ['Contattabile telefonicamente', 'No', 'Sì'],
    ['Belbaar', 'Nee', 'Ja'],
    ['Ringspärr', 'Ja', 'Nej'],
    ['Ringesperre', 'Ja', 'Nei'],
    ['Blokada połączeń', 'Tak', 'Nie'],
    ['Telefonon kereshető', 'nem', 'igen'],
    ['Стоп-лист', 'да', 'нет'],
    ['חסום לחיוג', 'כן', 'לא'],
    ['荷電NG', '○', ''],
    ['TM동의', 'N', 'Y'],
    ['NCPR', 'Yes', 'No'],
  ];

  it.each(HEADERS)('%s decides: %s does not ring', async (header, no, yes) => {
    const { at, rang } = await aDesk();
    const rows = [no, yes, no, yes].map((cell, n) => [`N${n}`, aPhone(n), 'Rome', cell]);
    at.write('leads.csv', csv([['Name', 'Phone', 'City', header], ...rows]));
    const { code, err } = await at.run(['run', 'leads.csv', ...SET]);
    expect([code, code === 0 ? '' : err]).toEqual([0, '']);
    expect(rang().toSorted()).toEqual([aPhone(1), aPhone(3)]);
  });

  it.each([
    ['Opt-out Deadline', '2026-12-31', '2027-12-31'],
    ['SMS수신거부', 'Y', 'N'],
    ['No Call No Show', 'Yes', 'No'],
    ['DNC Expiry Date', '2024-12-31', ''],
    ['DNC Checked By', 'Ann', 'Ben'],
    ['Email opt-out', 'Yes', 'No'],
  ])('%s decides nothing', async (header, one, other) => {
    const { at, rang } = await aDesk();
    at.write('leads.csv', csv([['phone', header], [aPhone(0), one], [aPhone(1), other]]));
    const { code, err } = await at.run(['run', 'leads.csv', ...SET]);
    expect([code, code === 0 ? '' : err]).toEqual([0, '']);
    expect(rang().toSorted()).toEqual([aPhone(0), aPhone(1)]);
  });
});
