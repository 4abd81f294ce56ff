import { decoded } from '../text/wording.ts';
import { usageError } from './errors.ts';

/** A database on a server: a schema of PostgreSQL. */
interface ServerUrl {
  /** Written in one way, with the schema and without a password. */
  url: string;
  /** The name of its folder on this machine. */
  folderName: string;
  /** In the order in which they are to be tried. */
  hosts: readonly { host: string; port: number }[];
  user: string;
  database: string;
  schema: string;
  /** The file with the certificate that the server's one is checked by; undefined: the usual ones of Node. */
  rootCertificate: string | undefined;
}

/** The schema of a URL that names none: `public` may hold tables of other programs. */
const DEFAULT_SCHEMA = 'callsheet';
const PORT = 5432;
const SHAPE = 'postgres://USER@HOST:PORT/DATABASE?schema=NAME';
const SCHEME = /^(?:jdbc:)?[^:]*:\/{0,2}/i;
const PARTS = /^(?:([^:@/?#]*):?@)?([^@/?#\s]*)(?:\/([^/?#]*))?(?:\?[^#]*)?$/;
const HOST = /^(?:([\w.-]+)|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i;
/** Any other parameter is refused. TLS is not a choice: the certificate is always checked, but for this machine. */
const PARAMETERS = ['schema', 'sslrootcert', 'sslmode'];
const encode = encodeURIComponent;
const CHECKED = ['require', 'verify-ca', 'verify-full'];

/** Whether a text is meant as a URL, also one with a mistake, and not as the path of a file. */
export function isServerUrl(text: string): boolean {
  return /^\s*(?:postgres(?:ql)?:|[a-z][\w+.:-]*:\/\/)/i.test(text);
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
  if (!/^postgres(?:ql)?:\/\/$/i.test(scheme.trimStart()))
    throw refuse(
      `begins with ${scheme}`,
      'correct it; callsheet knows databases of PostgreSQL and the paths of files',
    );
  const rest = text.slice(scheme.length);
  const [, query = ''] = /\?([^#]*)/.exec(rest) ?? [];
  const given = new URLSearchParams(query.replaceAll('+', '%2B'));
  const names = [...given.keys()];
  const hasPassword = /^[^:@]*:.+@/s.test(rest.replaceAll(/%3a/gi, ':'));
  if (hasPassword || names.some((name) => /pass|pwd/i.test(name)))
    throw usageError(
      'STORE_URL_INVALID',
      `${shown} holds a password, which the list of processes and the history of the shell would show.`,
      'take it out, and give it in the variable PGPASSWORD or in the file ~/.pgpass',
    );
  const parts = PARTS.exec(rest);
  if (parts === null)
    throw refuse(
      'is no URL',
      'correct it; write @, :, / and other special characters of a name as %40, %3A, %2F',
    );
  const [, user = '', places = '', path = ''] = parts;
  if (user === '')
    throw refuse('names no user', 'name the user of the server in front of the host');
  const hosts = places.split(',').map(readHost);
  if (!hosts.every((host) => host !== null))
    throw refuse(
      'names no host, or one that is none',
      'name the host behind @, for this machine localhost; several have commas between them',
    );
  if (path === '')
    throw refuse('names no database', 'name the database behind the host, e.g. /calls');
  if (names.some((name, at) => !PARAMETERS.includes(name) || names.indexOf(name) !== at))
    throw refuse(
      'has a parameter that callsheet does not know, or one twice',
      'take that out; a mistake in a name could mean another schema',
      `${SHAPE}, with sslrootcert`,
    );
  const schema = given.get('schema') ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw refuse(
      'has a schema that is no plain name',
      'give the schema such a name',
      'a name of at most 63 letters a to z, digits and _ that begins with no digit',
    );
  if (/^(?:public|information_schema|pg_.*)$/.test(schema))
    throw refuse(
      `has the schema "${schema}", where others keep their tables`,
      'give callsheet a schema of its own, such as schema=callsheet',
      'any other',
    );
  if (!CHECKED.includes(given.get('sslmode') ?? 'require'))
    throw refuse(
      'has an sslmode that does not check the server',
      'take it out; the certificate is always checked, but for this machine, by sslrootcert if it is given',
      CHECKED.join(', '),
    );
  const rootCertificate = given.get('sslrootcert') ?? undefined;
  return serverAt({ hosts, user: decoded(user), database: decoded(path), schema, rootCertificate });
}

function readHost(text: string): { host: string; port: number } | null {
  const [, name, address = '', port = String(PORT)] = HOST.exec(text) ?? [];
  const host = (name ?? address).toLowerCase();
  return host === '' || Number(port) > 65_535 ? null : { host, port: Number(port) };
}

function serverAt(server: Omit<ServerUrl, 'url' | 'folderName'>): ServerUrl {
  const { hosts, user, database, schema, rootCertificate } = server;
  const places = hosts.map(({ host, port }) => {
    const name = host.includes(':') ? `[${host}]` : host;
    return port === PORT ? name : `${name}:${port}`;
  });
  const root = rootCertificate === undefined ? '' : `&sslrootcert=${encode(rootCertificate)}`;
  // The same folder in whichever order the servers of a cluster are named.
  const [place = ''] = hosts.map(({ host, port }) => `${plain(host)}+${port}`).sort();
  return {
    ...server,
    url: `postgres://${encode(user)}@${places.join(',')}/${encode(database)}?schema=${schema}${root}`,
    folderName: `${place}+${plain(database)}+${schema}`,
  };
}

/** Without `+`, and without capitals: some file systems take these for small letters. */
function plain(name: string): string {
  const hex = (byte: string) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return Buffer.from(name)
    .toString('latin1')
    .replaceAll(/[^a-z\d._-]/g, hex);
}

/** The text of a URL, also of one with mistakes, without what may be a password; a path as it is. */
export function withoutPassword(text: string): string {
  if (!isServerUrl(text)) return text;
  const [scheme = ''] = SCHEME.exec(text) ?? [];
  const behind = text.slice(scheme.length);
  const [head = ''] = behind.split(/[?#]/, 1);
  const tail = behind.slice(head.length);
  const at = head.lastIndexOf('@');
  const user = head.slice(0, at + 1).replace(/(?::|%3a).*/is, ':***@');
  // Without @ it may be a user and a password, and the @ may be behind a ? of the password.
  const isSplit = tail.includes('@');
  const mayHide = at < 0 && (isSplit || head.split('/').some(hasMoreThanPort));
  const rest = mayHide ? head.replace(/:.*/s, ':***') : head.slice(at + 1);
  const parts = tail.split(/([?#&])/).map((part) => {
    const [name = ''] = part.split('=');
    if (/^[?#&]?$/.test(part) || (PARAMETERS.includes(name) && !isSplit)) return part;
    return part.includes('=') && !isSplit
      ? `${/^[a-z_]{1,30}$/i.test(name) ? name : '***'}=***`
      : '***';
  });
  return scheme + user + rest + parts.join('');
}

function hasMoreThanPort(part: string): boolean {
  const colon = part.indexOf(':');
  return colon >= 0 && /\D/.test(part.slice(colon + 1));
}
