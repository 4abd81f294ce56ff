import { decoded } from '../text/wording.ts';
import { usageError } from './errors.ts';

/** A database on a server: a schema of PostgreSQL. */
interface ServerUrl {
  /** Written in one way, with the schema and without a password. */
  url: string;
  /** The name of its folder on this machine; another one for every other schema. */
  folderName: string;
}

/** The schema of a URL that names none: `public` may hold tables of other programs. */
const DEFAULT_SCHEMA = 'callsheet';
const PORT = '5432';
const SHAPE = 'postgres://USER@HOST:PORT/DATABASE?schema=NAME';
const SCHEME = /^(?:jdbc:)?[^:]*:\/{0,2}/i;
/** Parameters of a URL. Any other is refused. */
const PARAMETERS = ['schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/** Whether a text is meant as a URL, also one with a mistake, and not as the path of a file. */
export function isServerUrl(text: string): boolean {
  return /^(?:postgres(?:ql)?:|[a-z][\w+.:-]*:\/\/)/i.test(text);
}

/**
 * Reads the URL of a database on a server.
 *
 * @param from where it was given, e.g. `--db`
 * @throws AppError `STORE_URL_INVALID` (exit 2); it never shows a password
 */
export function readServerUrl(text: string, from: string): ServerUrl {
  const shown = `${from} "${withoutPassword(text)}"`;
  const refuse = (why: string, hint: string, allowed = SHAPE) =>
    usageError('STORE_URL_INVALID', `${shown} ${why}; allowed is ${allowed}.`, hint);
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  if (!/^postgres(?:ql)?:\/\/$/i.test(scheme))
    throw refuse(
      `begins with ${scheme}`,
      'correct it; callsheet knows databases of PostgreSQL and the paths of files',
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw refuse(
      'is no URL',
      'correct it; write @, :, / and other special characters of a name as %40, %3A, %2F',
    );
  const given = [...url.searchParams];
  if (url.password !== '' || given.some(([name]) => /pass|pwd/i.test(name)))
    throw usageError(
      'STORE_URL_INVALID',
      `${shown} holds a password, which the list of processes and the history of the shell would show.`,
      'take it out, and give it in the variable PGPASSWORD or in the file ~/.pgpass',
    );
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname))
    throw refuse('names no host', 'name the host behind //, for this machine localhost');
  const database = decoded(url.pathname.slice(1));
  if (database === '' || url.pathname.includes('/', 1))
    throw refuse('names no single database', 'name the database behind the host, e.g. /calls');
  if (url.hash !== '' || given.some(([name]) => !PARAMETERS.includes(name)))
    throw refuse(
      url.hash === '' ? 'has a parameter that callsheet does not know' : 'has a # in it',
      'take that out; a mistake in a name could mean another schema, or no TLS',
      `${SHAPE}, with ${PARAMETERS.slice(1).join(', ')}`,
    );
  const twice = PARAMETERS.find((name) => url.searchParams.getAll(name).length > 1);
  if (twice !== undefined) throw refuse(`has ${twice} twice`, 'take one of them out');
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw refuse(
      'has a schema that is no plain name',
      'give the schema such a name',
      'a name of at most 63 letters a to z, digits and _ that begins with no digit',
    );
  const host = url.hostname.toLowerCase();
  const port = url.port === PORT ? '' : url.port;
  const others = given.filter(([name]) => name !== 'schema').map((pair) => `&${parameter(pair)}`);
  const who = url.username === '' ? '' : `${encodeURIComponent(decoded(url.username))}@`;
  const place = `${host}${port && `:${port}`}/${encodeURIComponent(database)}`;
  return {
    url: `postgres://${who}${place}?schema=${schema}${others.join('')}`,
    folderName: encodeURIComponent(`${host}${port && `_${port}`}-${database}-${schema}`),
  };
}

/** The text of a URL, also of one with mistakes, without what may be a password; a path as it is. */
export function withoutPassword(text: string): string {
  if (!isServerUrl(text)) return text;
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const [, head = '', tail = ''] = /^([^?#]*)(.*)$/s.exec(text.slice(scheme.length)) ?? [];
  const at = head.lastIndexOf('@');
  const user = head.slice(0, at + 1).replace(/:.*/s, ':***@');
  // Without @ it may be a user and a password, and the @ may be behind a ? of the password.
  const isSplit = tail.includes('@');
  const mayHide = at < 0 && (isSplit || /:[^/]*[^\d/]/.test(head));
  const rest = mayHide ? head.replace(/:.*/s, ':***') : head.slice(at + 1);
  const parts = tail.split(/([?#&])/).map((part) => {
    const [name = ''] = part.split('=');
    if (/^[?#&]?$/.test(part) || (PARAMETERS.includes(name) && !isSplit)) return part;
    return part.includes('=') && !isSplit ? `${plainName(name)}=***` : '***';
  });
  return scheme + user + rest + parts.join('');
}

/** The name of a parameter; what is no name may be a part of a password. */
function plainName(name: string): string {
  return /^[a-z_]{1,30}$/i.test(name) ? name : '***';
}

function parameter(pair: readonly [string, string]): string {
  return pair.map(encodeURIComponent).join('=');
}
