import { describe, expect, it } from 'vitest';
import type { Turn } from '../../src/domain/analytics.ts';
import { outcomeOf } from '../../src/domain/outcome.ts';

const agent: Turn = { speaker: 'agent', text: 'Hello?' };

describe('outcomeOf', () => {
  it("takes the service's own word over everything that could be derived", () => {
    const analytics = { transcript: 'person: Hello.', turns: [] };

    expect(outcomeOf(analytics, 'voicemail')).toEqual({ result: 'voicemail', source: 'service' });
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
