import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_STATES,
  transition,
  type AttemptEvent,
  type AttemptEventType,
  type AttemptState,
} from '../../src/domain/attempt.ts';

/**
 * Every state (columns) and every fact (rows): `.` changes nothing, `!` is a contradiction, a word is
 * the new state. The call id is the attempt's own wherever there is one.
 */
const EXPECTED = `
                     intent    placed     ended      settled  unknown      rejected  released  unconfirmed  no_result
placed               placed    .          .          .        placed       !         !         placed       .
rejected             rejected  !          !          !        rejected     .         !         rejected     !
refused              released  !          !          !        released     !         .         released     !
never_sent           released  !          !          !        released     !         .         released     !
lost                 unknown   .          .          .        .            .         !         .            .
orphaned             unknown   .          .          .        .            .         .         .            .
evidence             placed    .          .          .        placed       !         !         placed       .
line_down            !         ended      .          .        !            !         .         !            .
longest_call_passed  .         ended      .          .        .            .         .         .            .
settled              settled   settled    settled    .        settled      !         !         settled      settled
not_called           !         released   released   !        !            !         .         !            released
not_theirs           !         !          !          !        .            released  .         .            !
deadline_passed      .         no_result  no_result  .        .            .         .         .            .
gave_up              !         .          .          .        unconfirmed  .         .         .            .
`;

const EVENTS: Record<AttemptEventType, AttemptEvent> = {
  placed: { type: 'placed', callId: 'call_1' },
  rejected: { type: 'rejected' },
  refused: { type: 'refused' },
  never_sent: { type: 'never_sent' },
  lost: { type: 'lost' },
  orphaned: { type: 'orphaned' },
  evidence: { type: 'evidence', callId: 'call_1' },
  line_down: { type: 'line_down' },
  longest_call_passed: { type: 'longest_call_passed' },
  settled: { type: 'settled', callId: 'call_1' },
  not_called: { type: 'not_called', callId: 'call_1' },
  not_theirs: { type: 'not_theirs' },
  deadline_passed: { type: 'deadline_passed' },
  gave_up: { type: 'gave_up' },
};
const ALL_EVENTS = Object.values(EVENTS);
const TIME_ALONE = ['orphaned', 'longest_call_passed', 'deadline_passed', 'gave_up'] as const;
const WITH_CALL: readonly AttemptState[] = ['placed', 'ended', 'settled', 'no_result'];

const cells = readTable(EXPECTED);

describe('transition', () => {
  it('has an expectation for all 9 states and 14 facts', () => {
    expect(cells).toHaveLength(9 * 14);
    expect(new Set(cells.map((cell) => cell.state))).toEqual(new Set(ATTEMPT_STATES));
    expect(new Set(cells.map((cell) => cell.event.type))).toEqual(new Set(Object.keys(EVENTS)));
  });

  it.each(cells)('$state, then $event.type: $expected', ({ state, event, expected }) => {
    const got = transition(attempt(state), event);

    if (expected === '.') expect(got).toEqual({ kind: 'stay' });
    else if (expected === '!') expect(got.kind).toBe('conflict');
    else expect(got).toEqual({ kind: 'move', to: expected });
  });

  it('lets no passing of time release a lead', () => {
    for (const state of ATTEMPT_STATES) {
      for (const type of TIME_ALONE) {
        expect(transition(attempt(state), EVENTS[type])).not.toMatchObject({ to: 'released' });
      }
    }
  });

  it("takes back a call that was placed only by the service's own word that it never rang", () => {
    for (const state of WITH_CALL) {
      for (const event of ALL_EVENTS) {
        if (event.type === 'not_called') continue;
        expect(WITH_CALL).toContain(after(state, event));
      }
    }
    expect(after('settled', EVENTS.not_called)).toBe('settled');
  });

  it('changes nothing when the same fact comes twice', () => {
    for (const { state, event } of cells) {
      const once = transition(attempt(state), event);
      if (once.kind !== 'move') continue;
      expect(transition(attempt(once.to), event)).toEqual({ kind: 'stay' });
    }
  });

  it.each(['placed', 'evidence', 'settled'] as const)(
    'calls it a contradiction when "%s" names another call than the one known',
    (type) => {
      for (const state of WITH_CALL) {
        const got = transition({ state, callId: 'call_1' }, { type, callId: 'call_2' });

        expect(got).toEqual({
          kind: 'conflict',
          why: `"${type}" names call call_2, but this attempt is call call_1`,
        });
      }
    },
  );

  it('says which fact contradicted which state', () => {
    expect(transition(attempt('rejected'), EVENTS.evidence)).toEqual({
      kind: 'conflict',
      why: '"evidence" reached an attempt that is rejected',
    });
  });
});

function attempt(state: AttemptState): { state: AttemptState; callId: string | null } {
  return { state, callId: WITH_CALL.includes(state) ? 'call_1' : null };
}

/** The state after a fact; a contradiction changes none. */
function after(state: AttemptState, event: AttemptEvent): AttemptState {
  const got = transition(attempt(state), event);
  return got.kind === 'move' ? got.to : state;
}

function readTable(text: string): { state: AttemptState; event: AttemptEvent; expected: string }[] {
  const [states = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([type, ...row]) =>
    states.map((state, i) => ({
      state: state as AttemptState,
      event: EVENTS[type as AttemptEventType],
      expected: row[i] ?? 'missing',
    })),
  );
}
