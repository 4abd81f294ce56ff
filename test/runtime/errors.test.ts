import { describe, expect, it } from 'vitest';
import { AppError, EXIT, messageOf } from '../../src/runtime/errors.ts';

it('an AppError means that something failed unless it says otherwise', () => {
  const error = new AppError('X', 'Something.');
  expect([error.exitCode, error.hint]).toEqual([1, undefined]);
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
    const codes = { ok: 0, failed: 1, usage: 2, waiting: 3, key: 4, person: 5 };
    expect(EXIT).toEqual({ ...codes, interrupted: 130 });
  });
});
