import { describe, expect, it } from 'vitest';
import { AppError, EXIT, messageOf } from '../../src/runtime/errors.ts';

describe('AppError', () => {
  it('carries what a person needs: code, sentence, next step, exit code and cause', () => {
    const cause = new Error('disk I/O error');
    const error = new AppError('STORE_UNUSABLE', 'The database cannot be used.', {
      hint: 'Name another file with --db.',
      exitCode: EXIT.person,
      cause,
    });

    expect(error).toMatchObject({
      name: 'AppError',
      code: 'STORE_UNUSABLE',
      message: 'The database cannot be used.',
      hint: 'Name another file with --db.',
      exitCode: 5,
      cause,
    });
  });

  it('means that something failed unless it says otherwise', () => {
    const error = new AppError('X', 'Something.');

    expect([error.exitCode, error.hint]).toEqual([1, undefined]);
  });
});

describe('messageOf', () => {
  it('is the text of anything thrown', () => {
    expect(messageOf(new Error('in words'))).toBe('in words');
    expect(messageOf('a text')).toBe('a text');
    expect(messageOf(null)).toBe('null');
  });
});

describe('EXIT', () => {
  it('has the codes that scripts rely on', () => {
    expect(EXIT).toEqual({
      ok: 0,
      failed: 1,
      usage: 2,
      waiting: 3,
      key: 4,
      person: 5,
      interrupted: 130,
    });
  });
});
