import { describe, expect, it } from 'vitest';
import { DO_NOT_CALL } from '../../src/leads/columns/words/do-not-call-words.ts';
import { refusalHeard, SPOKEN_REFUSALS } from '../../src/text/spoken-refusals.ts';
import { SAID } from './refused-sentences.ts';

describe('a refusal in a transcript', () => {
  it('is heard in every language in which lists are read', () => {
    expect(Object.keys(SPOKEN_REFUSALS)).toEqual(Object.keys(DO_NOT_CALL));
    expect(Object.keys(SAID)).toEqual(Object.keys(DO_NOT_CALL));
  });

  describe.each(Object.entries(SAID))('in %s', (_language, { refuse, harmless }) => {
    it.each(refuse)('is heard: %s', (said) => {
      expect(refusalHeard(`agent: Hello.\nperson: ${said}`)).not.toBeNull();
      expect(refusalHeard(said)).not.toBeNull();
    });

    it.each(harmless)('is not heard in: %s', (said) => {
      expect(refusalHeard(`agent: Hello.\nperson: ${said}`)).toBeNull();
    });
  });

  it('is given in the words that were said, without what was said beside them', () => {
    const transcript = 'agent: Hello.\nperson: Hello. Yes, please do not call me again. Bye.';
    expect(refusalHeard(transcript)).toBe('please do not call me again');
  });

  it.each([
    'agent: To stop calling, say: remove me from the list.\nperson: No, go on.',
    'agent: Say it\nor: stop calling me.\nperson: No, go on.',
    'other: do not call me again\nperson: Hello',
    '',
  ])('is the person’s own, not the agent’s: %j', (transcript) => {
    expect(refusalHeard(transcript)).toBeNull();
  });

  it('is heard in later lines of the person’s turn', () => {
    expect(refusalHeard('person: well\nyes\nnever call me again\nagent: Bye')).toBe(
      'never call me again',
    );
  });

  it('is heard wherever it is in a long text without punctuation', () => {
    const filler = 'and then we went to the shop and bought some bread and milk '.repeat(10);
    for (let at = 0; at < filler.length; at += 7) {
      const said = `${filler.slice(0, at)} please do not ever call me again ${filler.slice(at)}`;
      expect(refusalHeard(`person: ${said}`)).toMatch(/not ever call me/);
    }
  });
});
