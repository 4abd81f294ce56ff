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

const WHOLE_NAMES = ['name', 'full name', 'fullname', 'contact name', 'contact', 'customer'];
const NAME_PARTS = [
  ['first name', 'firstname', 'given name'],
  ['last name', 'lastname', 'surname', 'family name'],
];
