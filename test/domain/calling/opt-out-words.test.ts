import { describe, expect, it } from 'vitest';
import { OPT_OUT_WORDS, soundsLikeOptOut } from '../../../src/domain/calling/opt-out-words.ts';

describe('a call that sounds like an opt-out', () => {
  it.each([
    ...OPT_OUT_WORDS,
    'Please STOP CALLING this house!',
    'Don’t call me anymore.',
    'I want to opt-out.',
  ])('has a person who says: %s', (words) => {
    expect(soundsLikeOptOut(`agent: Hello.\nperson: ${words}`)).toBe(true);
    expect(soundsLikeOptOut(words)).toBe(true);
  });

  it.each([
    'agent: To stop calling, say: remove me from the list.\nperson: No, go on.',
    'agent: Hello.\nperson: Call me tomorrow, please.',
    '',
  ])('is not this one: %j', (transcript) => {
    expect(soundsLikeOptOut(transcript)).toBe(false);
  });
});
