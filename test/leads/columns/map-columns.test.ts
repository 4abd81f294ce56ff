import { describe, expect, test } from 'vitest';
import { mapColumns } from '../../../src/leads/columns/map-columns.ts';

const phoneOf = (...headers: string[]) => headers[mapColumns('list.csv', headers).phones[0] ?? -1];

describe('the phone column is found by its name', () => {
  test.each(
    'phone,Phone Number,phone_number,PHONE-NUMBER,phoneNumber,mobile,number,contact_number,Telephone,tel,Cell,msisdn,to,"phone",Work Direct Phone,Person - Phone - Work,Phone 1 - Value,_MobileNumber,primary_contact_primary_phone'.split(
      ',',
    ),
  )('%s', (header) => {
    expect(phoneOf('name', header, 'email')).toBe(header);
  });

  test.each([
    [['Phone 1 - Type', 'Phone 1 - Value'], 'Phone 1 - Value'],
    [['Business Fax', 'Phone', 'Fax Phone'], 'Phone'],
    [['order number id', 'number'], 'number'],
    [['Company Phone', 'Mobile Phone Direct'], 'Mobile Phone Direct'],
    [['phone_ext', 'Phone Owner', 'tel'], 'tel'],
    [['call_phone', 'work phone'], 'work phone'],
    [['name', 'call_phone', 'call_state'], 'call_phone'],
    [['Work Phone', 'Home Phone'], 'Work Phone'],
  ])('among %j it is %s', (headers, expected) => {
    expect(phoneOf(...headers)).toBe(expected);
  });
});

test('other columns with numbers are tried after it, in their order', () => {
  const headers = [
    'Company Phone',
    'name',
    'Home Phone',
    'Mobile',
    'Work Phone',
    'Direct',
    'Phone',
  ];
  const { phones } = mapColumns('list.csv', headers);
  expect(phones.map((index) => headers[index])).toEqual([
    'Mobile',
    'Phone',
    'Work Phone',
    'Home Phone',
    'Company Phone',
  ]);
});

describe('the person and their company are found in the languages in which the number is', () => {
  test.each([
    ['English', 'phone|First|Last|Company'],
    ['German', 'Handynummer|Vorname|Nachname|Firmenname'],
    ['French', 'Téléphone|Prénom|Nom|Société'],
    ['Spanish', 'Móvil|Nombres|Apellidos|Empresa'],
    ['Portuguese', 'Celular|Primeiro nome|Sobrenome|Nome da empresa'],
    ['Italian', 'Cellulare|Nome|Cognome|Ragione sociale'],
    ['Dutch', 'Telefoonnummer|Voornaam|Achternaam|Bedrijfsnaam'],
    ['Swedish', 'Mobilnummer|Förnamn|Efternamn|Företag'],
    ['Danish', 'Telefonnummer|Fornavn|Efternavn|Virksomhed'],
    ['Norwegian', 'Telefonnummer|Fornavn|Etternavn|Bedrift'],
    ['Finnish', 'Puhelin|Etunimi|Sukunimi|Yritys'],
    ['Polish', 'Telefon|Imię|Nazwisko|Firma'],
    ['Russian', 'Телефон|Имя|Фамилия|Компания'],
    ['Japanese', '電話番号|名|姓|会社名'],
    ['Chinese', '手机号|名|姓|公司'],
    ['Hindi', 'मोबाइल|पहला नाम|उपनाम|कंपनी'],
    ['Arabic', 'هاتف|الاسم الأول|اسم العائلة|الشركة'],
  ])('%s', (_language, line) => {
    const { phones, fields } = mapColumns('list.csv', line.split('|'));
    expect([phones[0], fields.firstName, fields.lastName, fields.company]).toEqual([0, 1, 2, 3]);
  });

  test.each([
    'phone|Full Name',
    'Telefon|Vor- und Nachname',
    'Tél|Nom complet',
    'Móvil|Nombre y apellidos',
    'Telefone|Nome completo',
    'Cellulare|Nome e cognome',
    'Telefoon|Naam',
    'Mobil|Namn',
    'Mobil|Navn',
    'Puhelin|Nimi',
    'Telefon|Imię i nazwisko',
    'Телефон|ФИО',
    '電話|氏名',
    '手机|姓名',
    '휴대폰|성명',
    'फोन|नाम',
    'جوال|الاسم',
  ])('a whole name in %s', (line) => {
    expect(mapColumns('list.csv', line.split('|')).fields).toEqual({ name: 1 });
  });
});

test('a country column is found', () => {
  expect(mapColumns('list.csv', ['phone', 'Country']).fields.country).toBe(1);
  expect(mapColumns('list.csv', ['phone', 'county']).fields.country).toBeUndefined();
});

test('a list without a phone column is refused with its columns and the names that are allowed', () => {
  expect(() => mapColumns('people.csv', ['name', 'mail', 'fax number'])).toThrow(
    expect.objectContaining({
      code: 'LIST_HAS_NO_PHONE_COLUMN',
      exitCode: 2,
      message: expect.stringMatching(
        /^people\.csv has no phone column: its columns are "name", "mail", "fax number"; allowed names are phone,/,
      ) as string,
      hint: 'rename the column that holds the number to phone, or say which it is with --map phone="NAME"',
    }) as Error,
  );
});
