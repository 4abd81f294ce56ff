/** The person's name, where a column of the list has it. */
export function nameIn(headers: readonly string[], cells: readonly string[]): string | null {
  const plain = headers.map((header) =>
    header
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, ' ')
      .trim(),
  );
  const cell = (names: readonly string[]) =>
    (cells[plain.findIndex((header) => names.includes(header))] ?? '').trim();
  const whole = cell(WHOLE_NAMES);
  const name = whole === '' ? NAME_PARTS.map(cell).join(' ').trim() : whole;
  return name === '' ? null : name;
}

const WHOLE_NAMES = [
  ...['name', 'full name', 'fullname', 'contact name', 'contact', 'customer', 'customer name'],
  ...['氏名', '名前', 'お名前', '姓名', '이름', 'фио'],
];
const NAME_PARTS = [
  [
    ...['first name', 'firstname', 'fname', 'given name', 'vorname', 'prénom', 'prenom', 'nombre'],
    ...['nome', 'voornaam', 'förnamn', 'fornavn', 'imię', '名', 'имя'],
  ],
  [
    ...['last name', 'lastname', 'lname', 'surname', 'family name', 'nachname', 'nom', 'apellidos'],
    ...['apellido', 'cognome', 'sobrenome', 'achternaam', 'efternamn', 'etternavn', 'nazwisko'],
    ...['姓', 'фамилия'],
  ],
];
