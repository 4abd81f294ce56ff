import { describe, expect, it } from 'vitest';
import { converse, transcriptOf } from '../../../src/simulator/calls/conversation.ts';
import { readPrompt } from '../../../src/simulator/calls/prompt.ts';
import { anyNumber, anyText, aService, containing, phone } from '../service.ts';

const AGENT = {
  name: 'Riley',
  systemPrompt:
    'You are Riley, a polite assistant. Remind customers that their service plan ends on Friday. Never argue.',
};

const DRAWS = Array.from({ length: 800 }, (_, draw) => draw);

function answered(draw: number, durationS: number) {
  return converse({ outcome: 'answered', durationS, draw }, AGENT);
}

describe('a conversation', () => {
  it('is the same at every reading and another for another call', () => {
    expect(answered(7, 60)).toEqual(answered(7, 60));
    const transcripts = new Set(DRAWS.map((draw) => transcriptOf(answered(draw, 60).turns)));
    expect(transcripts.size).toBeGreaterThan(760);
  });

  it('begins with the agent saying its name and takes what it says from the prompt', () => {
    for (const draw of DRAWS) {
      const [opening, , purpose] = answered(draw, 60).turns;
      expect(opening).toEqual({ role: 'agent', text: containing('Riley') });
      expect(purpose).toEqual({
        role: 'agent',
        text: containing('remind customers that their service plan ends on Friday'),
      });
    }
    const all = DRAWS.map((draw) => transcriptOf(answered(draw, 60).turns)).join('\n');
    expect(all).toContain('about the service plan');
    expect(all).not.toMatch(/[{}]|undefined|argue/);
  });

  it('takes turns, ends with the agent and repeats no question', () => {
    for (const draw of DRAWS) {
      const { turns } = answered(draw, draw);
      const roles = turns.map((turn) => turn.role);
      expect(roles.every((role, index) => role === (index % 2 === 0 ? 'agent' : 'person'))).toBe(
        true,
      );
      expect(roles.at(-1)).toBe('agent');
      const questions = turns.filter(({ text }) => text.endsWith('?')).map(({ text }) => text);
      expect(new Set(questions).size).toBe(questions.length);
    }
  });

  it('is longer in a longer call', () => {
    const words = (durationS: number) =>
      transcriptOf(answered(3, durationS).turns).split(' ').length;
    expect(words(4)).toBeLessThan(words(12));
    expect(words(12)).toBeLessThan(words(60));
    expect(words(60)).toBeLessThan(words(110));
  });

  it('has a sentiment that fits what the person says', () => {
    const says = {
      positive: /great|perfect|happy|thank you|glad|wonderful/i,
      neutral: /think about it|have a look|cannot say|another time|call me back|try again/i,
      negative: /not interested|not happy|do not call me again|stop calling/i,
    };
    const labels = new Map<string, number>();
    for (const draw of DRAWS) {
      const { turns, sentiment } = answered(draw, 3 + (draw % 200));
      if (sentiment === null) throw new Error('a person answered');
      labels.set(sentiment.label, (labels.get(sentiment.label) ?? 0) + 1);
      const verdict = turns.findLast((turn) => turn.role === 'person')?.text ?? '';
      expect(verdict).toMatch(says[sentiment.label]);
      if (sentiment.label === 'positive') expect(sentiment.score).toBeGreaterThan(0.3);
      if (sentiment.label === 'negative') expect(sentiment.score).toBeLessThan(-0.3);
      if (sentiment.label === 'neutral') expect(Math.abs(sentiment.score)).toBeLessThanOrEqual(0.2);
    }
    expect(labels.get('positive')).toBeGreaterThan(80);
    expect(labels.get('neutral')).toBeGreaterThan(80);
    expect(labels.get('negative')).toBeGreaterThan(40);
  });

  it('with a machine is its greeting and the agent’s message, neutral', () => {
    const { turns, sentiment } = converse({ outcome: 'voicemail', durationS: 25, draw: 1 }, AGENT);
    expect(turns.map((turn) => turn.role)).toEqual(['person', 'agent']);
    expect(turns[0]?.text).toMatch(/message|number/);
    expect(turns[1]?.text).toContain('Riley');
    expect(sentiment).toEqual({ label: 'neutral', score: 0 });
  });

  it('comes over the wire as text and as turns that say the same', async () => {
    const service = await aService({ fixedCallMs: 60_000 });
    const name = 'Front\ndesk';
    const agent = (await service.post('/v1/agents', { ...AGENT, name })).json.id;
    const { call_id } = (await service.dial(phone(0), {}, agent)).json;
    await service.clock.advance(60_000);
    const { json } = await service.analytics(call_id);
    expect(json.turns.length).toBeGreaterThan(5);
    expect(json.transcript).toBe(transcriptOf(json.turns));
    expect(json.transcript.split('\n')).toHaveLength(json.turns.length);
    expect(json.transcript).toMatch(/^agent: .*Front desk/);
    expect(json.sentiment).toEqual({ label: anyText, score: anyNumber });
  });
});

describe('a system prompt', () => {
  it.each([
    ['You are kind.', 'I am kind', 'reason for my call'],
    ['Your goal is a new appointment.', 'My goal is a new appointment', 'appointment'],
    ['You call about the invoice.', 'I call about the invoice', 'invoice'],
    [
      'SEPA mandates run out.',
      'What I am here to do is this: SEPA mandates run out',
      'reason for my call',
    ],
    [
      '# Rules\n- Be brief!\n- Ask for the order number.',
      'What I am here to do is this: rules',
      'order number',
    ],
    ['\n', 'I would like a short word', 'reason for my call'],
  ])('%j has the agent say "%s" and talk about the %s', (prompt, purpose, topic) => {
    const brief = readPrompt(prompt);
    expect(brief.purposes[0]).toBe(purpose);
    expect(brief.topics).toContain(topic);
  });

  it('is cut at a word when a sentence is too long to say', () => {
    const [long] = readPrompt(`Remind them ${'gently '.repeat(60)}.`).purposes;
    expect(long).toMatch(/gently$/);
    expect(long?.length).toBeLessThan(180);
    expect(readPrompt('x'.repeat(500)).purposes[0]?.length).toBeLessThan(180);
  });
});
