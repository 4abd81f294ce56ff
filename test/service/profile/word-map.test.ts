import { describe, expect, test } from 'vitest';
import { WordMap } from '../../../src/service/profile/profile-fields.ts';
import { normalizeWord } from '../../../src/text/fold-words.ts';

function meaningIn(words: Record<string, string>) {
  const map = new WordMap(Object.entries(words));
  return (word: string) => map.get(normalizeWord(word));
}

describe('* in a table of words', () => {
  const at = meaningIn({
    'limit*': 'begins',
    '*must be a UUID': 'ends',
    '*wallet balance*': 'holds',
    'no-answer': 'is',
  });

  test.each([
    ['limit', 'begins'],
    ['Limit exceeded', 'begins'],
    ['over limit', undefined],
    ['must be a UUID', 'ends'],
    ['phoneNumberId must be a uuid', 'ends'],
    ['phoneNumberId must be a UUID.', undefined],
    ['Your wallet balance is low', 'holds'],
    ['wallet-balance', 'holds'],
    ['walletBalance', 'holds'],
    ['wallet', undefined],
    ['NO_ANSWER', 'is'],
    ['no answer at all', undefined],
    ['', undefined],
  ])('%j', (word, expected) => {
    expect(at(word)).toBe(expected);
  });
});

test('the closest match wins: the word, the longest beginning, the longest of the others, then * alone', () => {
  const at = meaningIn({
    '*': 'any',
    '*error': 'error',
    '*call.error': 'call error',
    '*fatal e*': 'fatal',
    'call*': 'call',
    'call.in-progress*': 'in progress',
    'call.error': 'itself',
  });
  expect(at('call.error')).toBe('itself');
  expect(at('call.in-progress.error')).toBe('in progress');
  expect(at('call.fatal.error')).toBe('call');
  expect(at('last call error')).toBe('call error');
  expect(at('some error')).toBe('error');
  expect(at('fatal error')).toBe('fatal');
  expect(at('anything')).toBe('any');
  expect(at('')).toBe('any');
});

test('a separator at an open end says where a word ends, and blanks at a closed end mean nothing', () => {
  const at = meaningIn({ 'rate *': 'begins', '* id': 'ends', '* key *': 'holds', ' trim * ': 'x' });
  expect(at('rate limit')).toBe('begins');
  expect(at('rated')).toBeUndefined();
  expect(at('the id')).toBe('ends');
  expect(at('paid')).toBeUndefined();
  expect(at('the key is bad')).toBe('holds');
  expect(at('monkey is')).toBeUndefined();
  expect(meaningIn({ ' trim*': 'x', '*end ': 'y' })('  trimmed')).toBe('x');
  expect(meaningIn({ '*end ': 'y' })('the end ')).toBe('y');
});
