import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../../src/leads/columns/map-columns.ts';
import { callAnswers, dayGiven } from '../../../src/leads/columns/permission-answers.ts';

const TODAY = '2026-11-27';

/** What a list with these columns beside its numbers says of a row. */
function said(headers: string[], rows: string[][], of: string[]) {
  const withPhone = rows.map((cells, n) => [`+1202555010${n}`, ...cells]);
  const mapping = mapColumns('list.csv', ['phone', ...headers], withPhone);
  return callAnswers(mapping, TODAY)(['+12025550100', ...of]);
}

/** Headers below which a day is the day of the consent, in the languages of the word lists. */
const HEADERS =
  `Phone consent | Consent to call | Consent | Consent date | Consented at | Opt-in date | Opted in on
  TCPA consent timestamp | gdpr_consent_date | Permission date | Date of permission to call | OptIn Date
  Einwilligung am | Einwilligungsdatum | Datum der Einwilligung | Zustimmung vom | Telefonische Einwilligung | Opt-in-Datum
  Date du consentement | Consentement le | Date d'opt-in | Consentement téléphonique
  Fecha de consentimiento | Fecha del permiso | Data do consentimento | Data da autorização | Data del consenso | Consenso il
  Toestemmingsdatum | Datum toestemming | Samtyckesdatum | Datum för samtycke | Samtykkedato | Dato for samtykke
  Suostumuspäivä | Data zgody | Дата согласия | Дата згоди | Дата на съгласие | Datum souhlasu | Dátum súhlasu
  Hozzájárulás dátuma | Data consimțământului | İzin tarihi | Onay tarihi | Ημερομηνία συγκατάθεσης | Sutikimo data
  Piekrišanas datums | Nõusoleku kuupäev | Datum privole | Datum pristanka | Datum soglasja | Tanggal persetujuan
  Ngày đồng ý | सहमति की तारीख | تاريخ الموافقة | تاریخ رضایت | תאריך הסכמה | วันที่ยินยอม | 同意日 | 同意日期 | 동의일`
    .split(/[|\n]/)
    .map((header) => header.trim());

describe('a day in a column of consents', () => {
  it.each(HEADERS)('is the day of the consent: %s', (header) => {
    const rows = [['2024-03-01'], ['2026-02-10'], ['']];
    expect(said([header], rows, ['2024-03-01'])).toEqual({
      column: 1,
      says: 'between',
      given: { day: '2024-03-01', column: 1 },
    });
    expect(said([header], rows, ['2027-03-01'])?.says).toBe('unclear');
    expect(said([header], rows, ['2024-13-45'])?.says).toBe('unclear');
  });

  it.each([
    ['2024-03-01', '2024-03-01'],
    ['2024-03-01T10:20:30Z', '2024-03-01'],
    ['2024-03-01 10:20:30.123+02:00', '2024-03-01'],
    ['01.03.2024', '2024-03-01'],
    ['01.03.2024, 9:15 Uhr', '2024-03-01'],
    ['3/4/2024', '2024-03-04'],
    ['3/1/2024 4:05 PM', '2024-01-03'],
    ['1 March 2024', '2024-03-01'],
    ['1er mars 2024', '2024-03-01'],
    ['am 1. März 2024', '2024-03-01'],
    ['yes, 2024-03-01', '2024-03-01'],
    ['Ja (01.03.2024)', '2024-03-01'],
    ['given on 2024-03-01', '2024-03-01'],
    ['2024年3月1日', '2024-03-01'],
    ['no since 2024-03-01', null],
    ['asked again 2024-03-01', null],
    ['06.12.11.00.01', null],
    ['yes', null],
    ['', null],
  ])('is read alone or beside a yes: %s', (cell, day) => {
    expect(dayGiven(cell)).toBe(day);
  });

  it.each([
    'Last call date',
    'Email opt-in date',
    'SMS consent date',
    'Consent to recording date',
    'Created',
    'Date of birth',
  ])('is none below another header: %s', (header) => {
    expect(said([header], [['2024-03-01']], ['2019-03-01'])).toBeUndefined();
  });

  it('forbids calls where the header says that consent was withdrawn', () => {
    const rows = [['2024-03-01'], ['']];
    expect(said(['Consent withdrawn date'], rows, ['2024-03-01'])?.says).toBe('forever');
  });

  it('stands beside a yes or no, which decides where there is no day', () => {
    const rows = [
      ['yes', '2024-03-01'],
      ['no', ''],
    ];
    const both = (...of: string[]) => said(['Phone consent', 'Phone consent date'], rows, of);
    expect(both('yes', '2024-03-01')?.given).toEqual({
      day: '2024-03-01',
      column: 2,
    });
    expect(both('yes', '')).toBeUndefined();
    expect(both('no', '2024-03-01')?.says).toBe('forever');
  });

  it('marks those who consented where it stands alone, and the earliest of several counts', () => {
    expect(said(['Phone consent'], [['2024-03-01'], ['']], [''])?.says).toBe('unclear');
    const two = [['2025-03-01', '2024-03-01']];
    expect(said(['Phone consent', 'Opt-in date'], two, ['2025-03-01', '2024-03-01'])).toMatchObject(
      { given: { day: '2024-03-01', column: 2 } },
    );
    const ending = said(
      ['Consent date', 'Consent valid until'],
      [['2024-03-01', '2027-01-31']],
      ['2024-03-01', '2027-01-31'],
    );
    expect(ending).toMatchObject({
      given: { day: '2024-03-01' },
      through: '2027-01-31',
    });
  });
});
