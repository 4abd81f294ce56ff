import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../src/domain/lead.ts';
import { createAnalyticsReader } from '../../../src/service/calls/analytics.ts';
import { loadProfile } from '../../../src/service/profile/profile.ts';

const TEXT = `auth: { header: Authorization, prefix: 'Bearer ' }
agents: { list: { method: GET, path: /agents, items: [.], id: [id] } }
dial: { method: POST, path: /calls, send: { phone: to, agent: bot }, callId: [id], answers: { 400: rejected } }
analytics:
  method: GET
  path: /calls/{call_id}
  status: { at: [state], ended: [over] }
  transcript: { text: [said], turns: [lines]ROLES }
`;
const ROLES =
  ', agent: [assistant, bot], person: [user, human caller], other: [system], hidden: [prompt, tool]';

/** The transcript that is read, who speaks in it, and what follows from it. */
function read(answer: object, roles = ROLES) {
  const profile = loadProfile(TEXT.replace('ROLES', roles), 'mine.yaml');
  const reading = createAnalyticsReader(profile.analytics).read({ state: 'over', ...answer });
  if (reading.kind !== 'settled') throw new Error(reading.kind);
  const { transcript, turns } = reading.analytics;
  const speakers = turns.map(({ speaker }) => speaker);
  return { transcript, speakers, result: outcomeOf(reading.analytics, null).result };
}

describe('a transcript given as text, its lines beginning with who speaks', () => {
  test.each<[string, string, string, string[]]>([
    ['two speakers', 'assistant: Hello\nuser: Hi', 'agent: Hello\nperson: Hi', ['agent', 'person']],
    [
      'blanks around lines, as Bland joins them',
      ' user: Hello? \n assistant: Good day. \n',
      'person: Hello?\nagent: Good day.',
      ['person', 'agent'],
    ],
    [
      'roles in another spelling',
      '\n\nBot: Hello\r\nHUMAN-CALLER : Hi\r\n',
      'agent: Hello\nperson: Hi',
      ['agent', 'person'],
    ],
    [
      'words over several lines, one of which looks like a role',
      'assistant: I have this:\nNote: call me\n\nat 10:30 or later\nuser: Fine: do\nSystem: hung up',
      'agent: I have this:\nNote: call me\nat 10:30 or later\nperson: Fine: do\nother: hung up',
      ['agent', 'person', 'other'],
    ],
    [
      'words that stand below their role',
      'assistant:\nHello\nuser:\nHi',
      'agent: Hello\nperson: Hi',
      ['agent', 'person'],
    ],
  ])('is read as turns: %s', (_what, said, transcript, speakers) => {
    expect(read({ said })).toEqual({ transcript, speakers, result: 'answered' });
    // The same, where it comes as a list of lines.
    expect(read({ lines: said.split('\n') })).toEqual({ transcript, speakers, result: 'answered' });
  });

  test('tells that nobody answered where only the agent speaks', () => {
    const said = 'assistant: Hello\nassistant: Is somebody there?\nuser: ';
    expect(read({ said: said.slice(0, -7) })).toMatchObject({
      speakers: ['agent', 'agent'],
      result: 'no_answer',
    });
    expect(read({ said }).result).toBe('no_answer');
  });

  test('leaves out what nobody heard, as a list of turns does', () => {
    const said = 'prompt: Be kind.\nAlways.\nassistant: Hello\ntool: {"a": 1}\nuser: Hi';
    const [transcript, speakers] = ['agent: Hello\nperson: Hi', ['agent', 'person']];
    expect(read({ said })).toEqual({ transcript, speakers, result: 'answered' });
    expect(read({ said: 'prompt: Be kind.' }).transcript).toBe('');
  });

  test.each<[string, string]>([
    ['begins with no role', 'Note: call me\nassistant: Hello\nuser: Hi'],
    ['begins with words', 'The call\nassistant: Hello'],
    ['has none at all', 'Hello there'],
    ['may hold the words of somebody whom the profile does not name', 'assistant: Hello\nlead: Hi'],
    ['has an address where a role would stand', 'https://calls.example/1\nuser: Hi'],
  ])('stays text where it %s, and nobody is called again for it', (_what, said) => {
    expect(read({ said })).toEqual({ transcript: said, speakers: [], result: 'answered' });
  });

  test('stays text where the profile names no roles', () => {
    const said = 'assistant: Hello\nuser: Hi';
    expect(read({ said }, '')).toEqual({ transcript: said, speakers: [], result: 'answered' });
  });
});
