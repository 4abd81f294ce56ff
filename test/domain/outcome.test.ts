import { describe, expect, it } from 'vitest';
import { outcomeOf, type Turn } from '../../src/domain/lead.ts';

const agent: Turn = { speaker: 'agent', text: 'Hello?' };

describe('outcomeOf', () => {
  it("takes the service's own word over everything that could be derived", () => {
    const analytics = { transcript: 'person: Hello.', turns: [] };

    expect(outcomeOf(analytics, 'voicemail')).toEqual({ result: 'voicemail', source: 'service' });
  });

  const spoke: Turn[] = [agent, { speaker: 'person', text: 'Yes, please.' }];

  it.each(['failed', 'not_called', 'not_called_pause'] as const)(
    'lets no word of failure (%s) stand against a person who speaks',
    (word) => {
      expect(outcomeOf({ transcript: 'x', turns: spoke }, word)).toEqual({
        result: 'answered',
        source: 'derived',
      });
    },
  );

  it.each(['voicemail', 'busy', 'no_answer', 'declined', 'invalid_number', 'opted_out'] as const)(
    'believes %s, which is about the dial or the person, whoever speaks',
    (word) => {
      expect(outcomeOf({ transcript: 'x', turns: spoke }, word)).toEqual({
        result: word,
        source: 'service',
      });
    },
  );

  it('takes a call that lasted for made, whatever the service says of it', () => {
    const silent = { transcript: '', turns: [] };
    for (const word of ['not_called', 'not_called_pause'] as const) {
      expect(outcomeOf({ ...silent, durationMs: 0 }, word).result).toBe(word);
      expect(outcomeOf({ ...silent, durationMs: 1_000 }, word).result).toBe('failed');
    }
  });

  it.each<[string, Turn[], string | null, string]>([
    ['the person speaks', [agent, { speaker: 'person', text: 'Hi.' }], 'x', 'answered'],
    ['only the agent speaks', [agent], 'agent: Hello?', 'no_answer'],
    ['the person says nothing but blanks', [{ speaker: 'person', text: ' \n' }], ' ', 'no_answer'],
    ['only the system speaks', [{ speaker: 'other', text: 'ringing' }], 'ringing', 'no_answer'],
    ['a transcript without turns has text', [], 'Hello, yes.', 'answered'],
    ['the transcript is there and empty', [], '', 'no_answer'],
    ['the transcript is blank', [], ' \n\t', 'no_answer'],
    ['there is no transcript at all', [], null, 'no_result'],
  ])('derives, when %s, the result', (_case, turns, transcript, result) => {
    expect(outcomeOf({ transcript, turns }, null)).toEqual({ result, source: 'derived' });
  });
});
