import { describe, expect, it } from 'vitest';
import { converse, transcriptOf } from '../../../src/simulator/calls/conversation.ts';
import { refusalHeard } from '../../../src/text/spoken-refusals.ts';
import { anyNumber, anyText, aService, containing, phone } from '../service.ts';

const AGENT = { name: 'Riley' };

const DRAWS = Array.from({ length: 200 }, (_, draw) => draw);

function answered(draw: number, durationS: number, optOuts?: number) {
  const call = { outcome: 'answered', durationS, draw } as const;
  return converse(call, AGENT, optOuts === undefined ? {} : { optOuts });
}

describe('a conversation', () => {
  it('is the same at every reading; several are told in turn', () => {
    expect(answered(7, 60)).toEqual(answered(7, 60));
    const transcripts = new Set(DRAWS.map((draw) => transcriptOf(answered(draw, draw).turns)));
    expect(transcripts.size).toBeGreaterThanOrEqual(8);
  });

  it('has the name of the agent, takes turns and ends with the agent', () => {
    for (const draw of DRAWS) {
      const { turns } = answered(draw, draw);
      expect(turns[0]).toEqual({ role: 'agent', text: containing('Riley') });
      expect(transcriptOf(turns)).not.toMatch(/[{}]|undefined/);
      const roles = turns.map((turn) => turn.role);
      expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'agent' : 'person')));
      expect(roles.at(-1)).toBe('agent');
    }
  });

  it('has every sentiment, with a score that fits it', () => {
    const scores = { positive: [0.3, 1], neutral: [-0.2, 0.2], negative: [-1, -0.3] } as const;
    const labels = new Set<string>();
    for (const draw of DRAWS) {
      const { sentiment } = answered(draw, 3 + draw);
      if (sentiment === null) throw new Error('a person answered');
      labels.add(sentiment.label);
      const [low, high] = scores[sentiment.label];
      expect(sentiment.score).toBeGreaterThanOrEqual(low);
      expect(sentiment.score).toBeLessThanOrEqual(high);
    }
    expect(labels.size).toBe(3);
  });

  it('says that the person wants no more calls exactly where the call is an opt-out', () => {
    for (const draw of DRAWS) {
      const [optOut, other] = [answered(draw, draw, 1), answered(draw, draw, 0)];
      expect([optOut.optsOut, other.optsOut]).toEqual([true, false]);
      expect(refusalHeard(transcriptOf(optOut.turns))).not.toBeNull();
      expect(refusalHeard(transcriptOf(other.turns))).toBeNull();
    }
  });

  it('with a machine is its greeting and the agent’s message, neutral', () => {
    const { turns, sentiment } = converse({ outcome: 'voicemail', durationS: 25, draw: 1 }, AGENT);
    expect(turns.map((turn) => turn.role)).toEqual(['person', 'agent']);
    expect(turns[1]?.text).toContain('Riley');
    expect(sentiment).toEqual({ label: 'neutral', score: 0 });
  });

  it('comes over the wire as text and as turns that say the same', async () => {
    const service = await aService({ fixedCallMs: 60_000 });
    const name = 'Front\ndesk';
    const agent = (await service.post('/v1/agents', { name, systemPrompt: 'Remind customers.' }))
      .json.id;
    const { call_id } = (await service.dial(phone(0), {}, agent)).json;
    await service.clock.advance(60_000);
    const { json } = await service.analytics(call_id);
    expect(json.turns.length).toBeGreaterThanOrEqual(5);
    expect(json.transcript).toBe(transcriptOf(json.turns));
    expect(json.transcript.split('\n')).toHaveLength(json.turns.length);
    expect(json.transcript).toMatch(/^agent: .*Front desk/);
    expect(json.sentiment).toEqual({ label: anyText, score: anyNumber });
  });
});
