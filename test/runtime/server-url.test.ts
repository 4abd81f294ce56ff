import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/runtime/errors.ts';
import { isServerUrl, readServerUrl, withoutPassword } from '../../src/runtime/server-url.ts';

const SECRET = 'sesame';

function refusalOf(text: string): { code: string; message: string; hint: string } {
  try {
    readServerUrl(text, '--db');
  } catch (error) {
    if (error instanceof AppError)
      return { code: error.code, message: error.message, hint: error.hint ?? '' };
  }
  throw new Error(`${text} was not refused`);
}

describe('the URL of a database', () => {
  it.each([
    [
      'postgres://ann@db.example.com/calls',
      'postgres://ann@db.example.com/calls?schema=callsheet',
      'db.example.com+5432+calls+callsheet',
    ],
    [
      'PostgreSQL://ann:@DB.example.com:5432/calls?schema=spring',
      'postgres://ann@db.example.com/calls?schema=spring',
      'db.example.com+5432+calls+spring',
    ],
    [
      'postgres://ann@db:6432/calls',
      'postgres://ann@db:6432/calls?schema=callsheet',
      'db+6432+calls+callsheet',
    ],
    [
      'postgres://a%40b@db/my%20calls?sslmode=verify-full&schema=_1',
      'postgres://a%40b@db/my%20calls?schema=_1',
      'db+5432+my%20calls+_1',
    ],
    [
      'postgres://ann@db/calls?sslrootcert=/ca+1.pem',
      'postgres://ann@db/calls?schema=callsheet&sslrootcert=%2Fca%2B1.pem',
      'db+5432+calls+callsheet',
    ],
    [
      'postgres://ann@a:6432,b,[::1]:7/calls',
      'postgres://ann@a:6432,b,[::1]:7/calls?schema=callsheet',
      '%3a%3a1+7+calls+callsheet',
    ],
    [
      'postgres://ann@[::1]/calls',
      'postgres://ann@[::1]/calls?schema=callsheet',
      '%3a%3a1+5432+calls+callsheet',
    ],
    [
      'postgres://ann@db/..%2F..',
      'postgres://ann@db/..%2F..?schema=callsheet',
      'db+5432+..%2f..+callsheet',
    ],
  ])('%s is written in one way, and has a folder of its own', (text, url, folderName) => {
    expect(isServerUrl(text)).toBe(true);
    expect(readServerUrl(text, '--db')).toMatchObject({ url, folderName });
    expect(readServerUrl(url, '--db')).toEqual(readServerUrl(text, '--db'));
  });

  it.each([
    ['postgres://ann@a-b/c', 'postgres://ann@a/b-c'],
    ['postgres://ann@db_6432/calls', 'postgres://ann@db:6432/calls'],
    ['postgres://ann@db/Calls', 'postgres://ann@db/calls'],
    ['postgres://ann@db/a%2Bb', 'postgres://ann@db/a%252bb'],
  ])('%s has another folder than %s', (one, other) => {
    const [first = '', second = ''] = [one, other].map((text) =>
      readServerUrl(text, '--db').folderName.toLowerCase(),
    );
    expect(first).not.toBe(second);
  });

  it.each([
    ['postgres://ann@a,b:6432/calls', 'postgres://eve@B:6432,A:5432/calls?schema=callsheet'],
  ])('%s has the same folder as %s', (one, other) => {
    expect(readServerUrl(one, '--db').folderName).toBe(readServerUrl(other, '--db').folderName);
  });

  it('is read into its parts', () => {
    const text = 'postgres://a%40b@db:6432,[::1]/my%20calls?schema=spring&sslrootcert=%2Fca.pem';
    expect(readServerUrl(text, '--db')).toMatchObject({
      hosts: [
        { host: 'db', port: 6432 },
        { host: '::1', port: 5432 },
      ],
      user: 'a@b',
      database: 'my calls',
      schema: 'spring',
      rootCertificate: '/ca.pem',
    });
  });

  it.each(['data/callsheet.db', './a:b', '/srv/x.db', 'C:\\calls.db', 'postgres.db', ''])(
    '%j is a path',
    (text) => {
      expect(isServerUrl(text)).toBe(false);
      expect(withoutPassword(text)).toBe(text);
    },
  );

  it.each([
    [
      'mysql://db/calls',
      '--db "mysql://db/calls" begins with mysql://; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres:/db/calls',
      '--db "postgres:/db/calls" begins with postgres:/; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://db/calls',
      '--db "postgres://db/calls" names no user; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres:///calls',
      '--db "postgres:///calls" names no user; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@/calls',
      '--db "postgres://ann@/calls" names no host, or one that is none; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db:port/calls',
      '--db "postgres://ann@db:port/calls" names no host, or one that is none; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db:65536/calls',
      '--db "postgres://ann@db:65536/calls" names no host, or one that is none; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db,/calls',
      '--db "postgres://ann@db,/calls" names no host, or one that is none; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@%2Frun/calls',
      '--db "postgres://ann@%2Frun/calls" names no host, or one that is none; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db',
      '--db "postgres://ann@db" names no database; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db/',
      '--db "postgres://ann@db/" names no database; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db/calls/x',
      '--db "postgres://ann@db/calls/x" is no URL; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://a b@d b/calls',
      '--db "postgres://a b@d b/calls" is no URL; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db/calls#x',
      '--db "postgres://ann@db/calls#***" is no URL; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://ann@db/calls?shema=x',
      '--db "postgres://ann@db/calls?shema=***" has a parameter that callsheet does not know, or one twice; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME, with sslrootcert.',
    ],
    [
      'postgres://ann@db/calls?schema=a&schema=b',
      '--db "postgres://ann@db/calls?schema=a&schema=b" has a parameter that callsheet does not know, or one twice; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME, with sslrootcert.',
    ],
    [
      'postgres://ann@db/calls?sslmode=disable',
      '--db "postgres://ann@db/calls?sslmode=disable" has an sslmode that does not check the server; allowed is require, verify-ca, verify-full.',
    ],
    ...['Spring', '1st', 'a-b', 'a"b', 'é', '', 'a'.repeat(64)].map((name) => [
      `postgres://ann@db/calls?schema=${name}`,
      `--db "postgres://ann@db/calls?schema=${name}" has a schema that is no plain name; allowed is a name of at most 63 letters a to z, digits and _ that begins with no digit.`,
    ]),
    ...['public', 'information_schema', 'pg_catalog'].map((name) => [
      `postgres://ann@db/calls?schema=${name}`,
      `--db "postgres://ann@db/calls?schema=${name}" has the schema "${name}", where others keep their tables; allowed is any other.`,
    ]),
  ])('%s is refused with what is allowed', (text, message) => {
    expect(refusalOf(text)).toEqual({
      code: 'STORE_URL_INVALID',
      message,
      hint: expect.stringMatching(/^(?:correct|name|take|give) /) as string,
    });
  });

  it.each([
    `postgres://ann:${SECRET}@db/calls`,
    `postgres://:${SECRET}@db/calls`,
    `postgres://ann@db/calls?password=${SECRET}`,
    `postgres://ann@db/calls?schema=a&sslpassword=${SECRET}`,
    `postgres://ann@db/calls?PASSWORD=${SECRET}`,
    `postgres://ann:1@${SECRET}@db/calls`,
  ])('%s is refused for its password, which is not shown', (text) => {
    const { message, hint } = refusalOf(text);
    expect(message).toContain(
      'holds a password, which the list of processes and the history of the shell would show.',
    );
    expect(message).toContain('***');
    expect(hint).toBe(
      'take it out, and give it in the variable PGPASSWORD or in the file ~/.pgpass',
    );
    expect(message + hint).not.toContain(SECRET);
  });

  it.each([
    `mysql://ann:${SECRET}@db/calls`,
    `jdbc:postgresql://db/calls?user=ann&password=${SECRET}`,
    `postgres:ann:${SECRET}@db/calls`,
    `postgres:/ann:${SECRET}@db/calls`,
    `postgres:///ann:${SECRET}@db/calls`,
    `postgres://ann:${SECRET}/calls`,
    `postgres://ann:${SECRET}`,
    `postgres://ann:x#${SECRET}@db/calls`,
    `postgres://ann:x?${SECRET}@db/calls`,
    `postgres://ann:x/${SECRET}@db/calls`,
    `postgres://ann:12/x?${SECRET}@db/calls`,
    `postgres://ann:12/x?schema=${SECRET}@db/calls`,
    `postgres://ann:1 ${SECRET}@db/calls`,
    `postgres://ann@db/calls?pwd=${SECRET}`,
    `postgres://ann@db/calls?${SECRET}`,
    `postgres://ann@db/calls?key=${SECRET}`,
    `postgres://ann@db/calls#${SECRET}`,
    `postgres://ann%3A${SECRET}@db/calls`,
    ` postgres://ann:${SECRET}@db/calls`,
  ])('%s is refused, and a password in a wrong place is not shown', (text) => {
    const { message, hint } = refusalOf(text);
    expect(message + hint + withoutPassword(text)).not.toContain(SECRET);
  });
});
