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
      'db.example.com-calls-callsheet',
    ],
    [
      'PostgreSQL://DB.example.com:5432/calls?schema=spring',
      'postgres://db.example.com/calls?schema=spring',
      'db.example.com-calls-spring',
    ],
    [
      'postgres://db:6432/calls',
      'postgres://db:6432/calls?schema=callsheet',
      'db_6432-calls-callsheet',
    ],
    [
      'postgres://a%40b@db/my%20calls?sslmode=verify-full&schema=_1',
      'postgres://a%40b@db/my%20calls?schema=_1&sslmode=verify-full',
      'db-my%20calls-_1',
    ],
    [
      'postgres://db/calls?sslrootcert=%2Fca.pem',
      'postgres://db/calls?schema=callsheet&sslrootcert=%2Fca.pem',
      'db-calls-callsheet',
    ],
    [
      'postgres://[::1]/calls',
      'postgres://[::1]/calls?schema=callsheet',
      '%5B%3A%3A1%5D-calls-callsheet',
    ],
    ['postgres://db/..%2F..', 'postgres://db/..%2F..?schema=callsheet', 'db-..%2F..-callsheet'],
  ])('%s is written in one way, and has a folder of its own', (text, url, folderName) => {
    expect(isServerUrl(text)).toBe(true);
    expect(readServerUrl(text, '--db')).toEqual({ url, folderName });
    expect(readServerUrl(url, '--db')).toEqual({ url, folderName });
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
      'postgres://db:port/calls',
      '--db "postgres://db:***" is no URL; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://db:1,other:2/calls',
      '--db "postgres://db:***" is no URL; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres:///calls',
      '--db "postgres:///calls" names no host; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://%2Frun/calls',
      '--db "postgres://%2Frun/calls" names no host; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://db',
      '--db "postgres://db" names no single database; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://db/',
      '--db "postgres://db/" names no single database; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://db/calls/x',
      '--db "postgres://db/calls/x" names no single database; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    [
      'postgres://db/calls?shema=x',
      '--db "postgres://db/calls?shema=***" has a parameter that callsheet does not know; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME, with sslmode, sslrootcert, sslcert, sslkey.',
    ],
    [
      'postgres://db/calls#x',
      '--db "postgres://db/calls#***" has a # in it; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME, with sslmode, sslrootcert, sslcert, sslkey.',
    ],
    [
      'postgres://db/calls?schema=a&schema=b',
      '--db "postgres://db/calls?schema=a&schema=b" has schema twice; allowed is postgres://USER@HOST:PORT/DATABASE?schema=NAME.',
    ],
    ...['Spring', '1st', 'a-b', 'a"b', 'é', '', 'a'.repeat(64)].map((name) => [
      `postgres://db/calls?schema=${name}`,
      `--db "postgres://db/calls?schema=${name}" has a schema that is no plain name; allowed is a name of at most 63 letters a to z, digits and _ that begins with no digit.`,
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
  ])('%s is refused, and a password in a wrong place is not shown', (text) => {
    const { message, hint } = refusalOf(text);
    expect(message + hint + withoutPassword(text)).not.toContain(SECRET);
  });
});
