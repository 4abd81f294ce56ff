import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { historyText } from '../../src/text/history-text.ts';
import { root } from '../docs/pages.ts';

/** Everything that an entry may have, of whatever kind. */
const DETAIL = {
  ...{ before: 'running', waiting: 2, cancelled: 1, onList: 1_200, back: 1, people: 3 },
  ...{ results: ['no_answer', 'busy'], list: 'spring.csv', lists: ['may.csv', 'june.csv'] },
  ...{ as: 'not_placed', reason: 'key', detail: 'the service refuses the key', live: true },
  ...{ person: 'Al', phone: '+12125550100', why: 'the disk is full', agentNow: { id: 'ag_1' } },
};

describe('an entry of the history', () => {
  it.each(kindsWritten())('%s is a sentence without a raw word', (what) => {
    for (const detail of [{}, DETAIL]) {
      const text = historyText({ who: 'ann', what, detail });
      expect(text).toMatch(/^ann [a-z].*\.$/);
      // Neither codes such as `not_placed` and `campaign.paused`, nor arrows, nor JSON.
      expect(text.replaceAll('.csv', '')).not.toMatch(/_|[a-z]\.[a-z]|->|[{}[\]]|undefined|null/i);
    }
  });

  it('says what was changed, but not what only follows it', () => {
    const detail = {
      concurrency: { from: '5', to: '8', source: 'spring.yaml:9' },
      requests: { from: '5', to: '8', source: 'follows concurrency' },
    };
    expect(historyText({ who: 'ann', what: 'campaign.changed', detail })).toBe(
      'ann changed the settings: concurrency from 5 to 8.',
    );
  });

  it('of a renaming, a pause by callsheet and a settled doubt says how', () => {
    const by = (what: string, detail: object) =>
      historyText({ who: 'ann', what, detail: { ...detail } });
    expect(by('campaign.renamed', { from: 'spring', to: 'summer' })).toBe(
      'ann renamed the campaign: from "spring" to "summer".',
    );
    expect(by('campaign.paused', { reason: 'key', detail: 'the key is refused.' })).toBe(
      'ann paused the campaign: the key is refused.',
    );
    expect(by('attempt.resolved', { phone: '+12125550100', as: 'not_placed', note: 'seen' })).toBe(
      'ann settled a call in doubt: +12125550100, as not placed, seen.',
    );
  });
});

/** Every kind of entry that the source writes or reads. */
function kindsWritten(): string[] {
  const nouns = 'campaign|lead|leads|list|run|attempt|agent|schedule|word|service|results';
  const kind = new RegExp(`'((?:${nouns})\\.(?!csv)[a-z]+[A-Za-z]*)'`, 'g');
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    // The console's log and the events of a run have kinds of their own, and settings their keys.
    .filter((file) => /^(app|store|collect|dispatch)\/.*\.ts$/.test(file.replaceAll('\\', '/')))
    .filter((file) => !/access\/log\.ts|sentences\/|notices\/|run-events/.test(file));
  const texts = files.map((file) => readFileSync(join(root, 'src', file), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(kind)].map(([, what = '']) => what));
  // Written by two kinds of one line, or told to the run as well.
  const more = ['service.failing', 'service.answered', 'campaign.calledNow'];
  const others = [
    'results.format',
    'results.file',
    'service.url',
    'service.profile',
    'service.full',
  ];
  return [...new Set([...found, ...more])].filter((what) => !others.includes(what)).toSorted();
}
