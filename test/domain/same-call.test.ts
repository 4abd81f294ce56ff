import { expect, test } from 'vitest';
import { whyAnother, type CallNames } from '../../src/domain/same-call.ts';

const AL = { key: 'k1', phone: '+12125550100', agent: 'ag_1' };
const BO = { key: 'k2', phone: '+12125550101', agent: 'ag_2' };
const CALL = { ...AL, attemptId: 'a1', callId: 'call-1', rivals: [] };
const NOTHING: CallNames = { callIds: [], attemptKeys: [], phones: [], agents: [] };

test.each([
  ['nothing', {}],
  [
    'its own id, key, number and agent',
    { callIds: ['call-1'], attemptKeys: ['k1'], phones: [AL.phone], agents: ['ag_1'] },
  ],
  ['its number beside the line that called', { phones: [BO.phone, AL.phone] }],
])('an answer that names %s is of the call that was asked for', (_, names) => {
  expect(whyAnother({ ...NOTHING, ...names }, CALL)).toBeNull();
});

test.each([
  ['call id', { callIds: ['call-1', 'call-2'] }],
  ['key', { attemptKeys: ['k2'] }],
  ['number', { phones: [BO.phone] }],
  ['agent', { agents: ['ag_2'] }],
])('an answer that names another %s is of another call', (_, names) => {
  expect(whyAnother({ ...NOTHING, ...names }, CALL)).toContain('call-1');
});

test.each([
  ['key', { attemptKeys: ['k1'] }],
  ['number', { phones: [AL.phone] }],
  ['agent', { agents: ['ag_1'] }],
])('of two dials with one call id the %s tells whose the answer is', (_, names) => {
  const contested = { ...CALL, rivals: [BO] };
  expect(whyAnother({ ...NOTHING, ...names }, contested)).toBeNull();
  expect(whyAnother(NOTHING, contested)).toContain('to 2 dials');
});
