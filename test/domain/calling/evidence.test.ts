import { describe, expect, it } from 'vitest';
import { evidenceText, type CallEvidence } from '../../../src/domain/calling/caps.ts';

const FIRST: CallEvidence = {
  clocks: { 'America/New_York': 'Fri 15:30' },
  rules: {},
  caps: [],
  regions: [],
  list: 'spring.csv',
  line: 2,
  consent: {},
  registries: {},
  approved: null,
};

describe('the evidence of a call', () => {
  it('that was sent again says what was true each time', () => {
    const again = [{ ...FIRST, clocks: { 'America/New_York': 'Fri 15:31' }, at: 'AT' }];
    const text = evidenceText({ ...FIRST, again });
    expect(text).toMatch(/Fri 15:30.*sent again at AT: .*Fri 15:31/);
  });
});
