import { describe, expect, it } from 'vitest';
import {
  endOfRun,
  nightEnd,
  type EndFacts,
  type NightEnd,
  type RunFacts,
} from '../../../src/domain/nights/night-end.ts';

const RUN: RunFacts = {
  ...{ state: 'running', dispatch: 'later', interrupted: false, refused: false },
  ...{ waiting: 3, mayBeCalled: 0 },
};

describe('a run has stopped calling', () => {
  it.each<[NightEnd, Partial<RunFacts>]>([
    ['hours', {}],
    ['due', { mayBeCalled: 3 }],
    ['final', { state: 'completed' }],
    ['final', { waiting: 0 }],
    ['cancelled', { state: 'cancelled', interrupted: true }],
    ['interrupted', { interrupted: true, state: 'paused' }],
    ['paused', { state: 'paused' }],
    ['person', { refused: true, state: 'paused' }],
    ['person', { dispatch: 'disk_full' }],
    ['person', { dispatch: 'store_failing' }],
    ['limit', { dispatch: 'limit', mayBeCalled: 3 }],
    ['until', { dispatch: 'until' }],
  ])('by %s: %o', (end, facts) => {
    expect(endOfRun({ ...RUN, ...facts })).toBe(end);
  });
});

const PAST: EndFacts = {
  ...{ kept: null, endedBy: null, isLast: true, isTonight: false },
  ...{ state: 'running', isCalled: false },
};

describe('a night has ended', () => {
  it.each<[NightEnd, Partial<EndFacts>]>([
    ['final', { state: 'completed', endedBy: 'stop.calls', kept: 'interrupted' }],
    ['budget', { endedBy: 'stop.calls', kept: 'due' }],
    ['hours', { kept: 'hours', state: 'completed', isLast: false }],
    ['notKnown', { kept: 'a word of a newer version' }],
    ['notKnown', { kept: 'notKnown' }],
    ['interrupted', {}],
    ['interrupted', { isTonight: true }],
    ['atWork', { isTonight: true, isCalled: true }],
    ['notKnown', { isCalled: true }],
  ])('by %s: %o', (end, facts) => {
    expect(nightEnd({ ...PAST, ...facts })).toBe(end);
  });
});
