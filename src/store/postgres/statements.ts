/** A statement in PostgreSQL's words, and which values it takes in which order: names, or places of a list. */
export interface PostgresStatement {
  text: string;
  takes: readonly (string | number)[];
}

/** Texts in quotes, parameters, and what PostgreSQL writes otherwise. */
const PARTS = /'[^']*'|@(\w+)|\?|\bCROSS JOIN\b|\bLIKE\b|\b[a-z]\w*/g;
const OTHERWISE: Readonly<Record<string, string>> = {
  'CROSS JOIN': 'JOIN',
  LIKE: 'ILIKE',
  json_array: 'json_build_array',
  json_object: 'json_build_object',
};

const NAME_WITH_CAPITALS = /^[a-z][^']*[A-Z]/;

/** The parameters of a statement in the order in which they stand there, each as often as it does. */
export function parametersOf(text: string): (string | number)[] {
  let places = 0;
  return [...text.matchAll(PARTS)]
    .filter(([part, name]) => part === '?' || name !== undefined)
    .map(([, name]) => name ?? places++);
}

/**
 * Writes a statement of the store (`sqlOf`) for PostgreSQL. Both engines understand the statements but for what is done
 * here: SQLite's hints to its planner go (`INDEXED BY x`, and `CROSS JOIN`, which only orders), `LIKE` takes either case,
 * names with capitals are quoted, and each parameter is a `$n` with the type of its value, as PostgreSQL guesses types
 * before it sees values.
 * @param types of the values of `parametersOf`, see `typeOf`; `NULL` stands in the text, as it has no type
 */
export function postgresStatement(text: string, types: readonly string[]): PostgresStatement {
  const parameters = parametersOf(text);
  const takes: (string | number)[] = [];
  let n = 0;
  const written = text.replace(/ INDEXED BY \w+/g, '').replace(PARTS, (part, name) => {
    if (typeof name !== 'string' && part !== '?')
      return OTHERWISE[part] ?? (NAME_WITH_CAPITALS.test(part) ? `"${part}"` : part);
    const [parameter = '', type] = [parameters[n], types[n]];
    n += 1;
    if (type === 'NULL') return type;
    if (!takes.includes(parameter)) takes.push(parameter);
    return `$${takes.indexOf(parameter) + 1}::${type}`;
  });
  return { text: written, takes };
}

/** @throws TypeError for NaN and what no column holds: SQLite would write NULL for it */
export function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'bigint' || value === Infinity || value === -Infinity) return 'bigint';
  if (typeof value === 'number' && !Number.isNaN(value))
    return Number.isSafeInteger(value) ? 'bigint' : 'float8';
  if (value instanceof Uint8Array) return 'bytea';
  throw new TypeError(`a statement takes no ${typeof value}`);
}

/** Greater than each time and number of the store. */
const ENDLESS = '9000000000000000000';

/** As the driver takes it: the server holds no U+0000, which a call id or a transcript of a service may have. */
export function sent(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{fffd}');
  if (value === Infinity) return ENDLESS;
  return value === -Infinity ? `-${ENDLESS}` : value;
}
