import { describe, expect, it } from 'vitest';
import { AnswerPolicy } from '../../src/dispatch/answer-policy.ts';
import type { DialAnswer } from '../../src/service/port.ts';
import {
  neverSent,
  placed,
  refused,
  rejected,
  unknown,
} from '../helpers/services/service-double.ts';

const NOW = 1_000_000;
const PLACED = { nextPollAt: NOW + 1_000, fingerprint: 'main-1' };

describe('what an answer means', () => {
  it.each<[string, DialAnswer, object]>([
    [
      'placed',
      placed('c1'),
      { record: { kind: 'placed', callId: 'c1', ...PLACED }, health: 'good' },
    ],
    ['422', rejected(), { record: { kind: 'rejected' }, health: 'good' }],
    [
      'a refusal that the profile says concerns every dial',
      { kind: 'rejected', pause: true, status: 402, detail: 'HTTP 402' },
      {
        record: released('refused_without_effect', NOW),
        pause: { reason: 'profile', detail: 'HTTP 402' },
      },
    ],
    [
      'such a refusal of the key',
      { kind: 'rejected', pause: true, status: 401, detail: 'HTTP 401' },
      { pause: { reason: 'key', detail: 'HTTP 401' } },
    ],
    [
      'a connection that failed',
      neverSent(),
      { record: released('never_sent', NOW + 1_000), health: 'failure' },
    ],
    ['an expired permit', neverSent('permit'), { record: released('never_sent', 0), health: null }],
    [
      '429 with Retry-After',
      refused(7_000),
      { record: released('refused_without_effect', NOW + 7_000), health: null, backoffMs: 7_000 },
    ],
    [
      '429 with a Retry-After of nothing',
      refused(0),
      { record: released('refused_without_effect', NOW + 1_000), backoffMs: 1_000 },
    ],
    [
      '429 without',
      refused(),
      { record: released('refused_without_effect', NOW + 1_000), health: null, backoffMs: 1_000 },
    ],
    ['a timeout', unknown(), { record: { kind: 'unknown' }, health: 'failure' }],
    ['503', unknown(503), { record: { kind: 'unknown' }, health: 'failure' }],
    ['409', unknown(409), { record: { kind: 'unknown' }, health: 'failure' }],
    ['302', unknown(302), { record: { kind: 'unknown' }, health: null }],
  ])('of a service that is proven: %s', (_, answer, expected) => {
    const judgement = new AnswerPolicy().judge(answer, NOW, true, PLACED, 'a1');

    expect(judgement).toMatchObject({ pause: null, backoffMs: null, ...expected });
    expect(judgement.record).toMatchObject({ at: NOW, detail: answer.detail });
  });

  it.each([
    [401, 'key', true],
    [403, 'key', true],
    [404, 'profile', true],
    [405, 'profile', true],
    [413, 'profile', true],
    [415, 'profile', true],
    [400, 'profile', false],
    [422, 'profile', false],
  ])('a rejection with %i pauses for the %s: proven %s', (status, reason, isProven) => {
    expect(judge(rejected(status), isProven)).toMatchObject({
      pause: { reason },
      record: { kind: 'released' },
    });
  });

  it.each([200, 302, 409])(
    '%i of a service that is not proven pauses for the profile',
    (status) => {
      expect(judge(unknown(status), false)).toMatchObject({
        pause: { reason: 'profile' },
        record: { kind: 'unknown' },
      });
    },
  );

  it('a run of equal refusals is broken by one of another kind', () => {
    const judge = new AnswerPolicy();
    const pauses = ['a', 'a', 'a', 'a', 'b', 'a', 'a', 'a', 'a'].map((text) => {
      const judgement = judge.judge(rejected(400, text), NOW, true, PLACED, 'a1');
      return judgement.pause;
    });

    expect(pauses.filter((pause) => pause !== null)).toEqual([]);
    expect(judge.judge(rejected(400, 'a'), NOW, true, PLACED, 'a1')).toMatchObject({
      pause: { reason: 'profile', detail: 'a' },
      record: released('refused_without_effect', NOW),
    });
  });

  it('a 400 and a 422 of the same words are not equal', () => {
    const judge = new AnswerPolicy();
    const pauses = [400, 422, 400, 422, 400, 422, 400].map(
      (status) => judge.judge(rejected(status, 'no'), NOW, true, PLACED, 'a1').pause,
    );

    expect(pauses.every((pause) => pause === null)).toBe(true);
  });
});

function judge(answer: DialAnswer, isProven: boolean) {
  return new AnswerPolicy().judge(answer, NOW, isProven, PLACED, 'a1');
}

function released(reason: string, notBefore: number) {
  return { kind: 'released', reason, notBefore };
}
