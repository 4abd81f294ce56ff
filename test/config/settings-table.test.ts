import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaignSchema, loadCampaignFile } from '../../src/config/campaign-file.ts';
import { CAMPAIGN_KEYS, readCampaignKeys } from '../../src/config/keys.ts';
import { packageRoot } from '../../src/runtime/files.ts';
import { printSettings } from '../../src/config/setting-changes.ts';
import { resolveSettings } from '../../src/config/settings.ts';
import {
  groupOf,
  isFollowed,
  partsOf,
  SETTING_ROWS,
  settingWords,
} from '../../src/config/table/settings-table.ts';
import { SOURCE_DEFAULTS } from '../../src/domain/lists/list-mapping.ts';
import { MOST_REFUSALS } from '../../src/domain/refused-dials.ts';
import { formatDuration, parseDuration } from '../../src/text/times.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const EXAMPLE = readFileSync(join(packageRoot(), 'campaigns/example.yaml'), 'utf8');
function problemsOf(key: string, value: string) {
  return readCampaignKeys([{ key, value }]).problems.map(({ sentence }) => sentence);
}

/** The bounds in the words of a row: `(1 to 10,000)`, `(5s to 5m, or none)`. */
function boundsIn(words: string): string[] {
  const [, min = '', max = ''] = /\((\S+) to ([\d,]*\d\w*)(?:, or none)?\)$/.exec(words) ?? [];
  return [min, max].map((bound) => bound.replaceAll(',', ''));
}

describe.each(SETTING_ROWS)('the setting %s', (key, row) => {
  it('has words without a capital in front and without a full stop', () => {
    expect(row.help).toMatch(/^(?:[a-z`]|HTTP|ID).+[^.]$/);
    expect(row.byDefault).not.toBe('');
  });

  it('takes the value that its words name, and its default where that is a value', () => {
    if (row.such !== undefined) expect(problemsOf(key, row.such)).toEqual([]);
    const isValue = ['whole', 'duration', 'oneOf', 'yesNo', 'group'].includes(row.takes.is);
    if (isValue && !row.byDefault.includes(' ')) expect(problemsOf(key, row.byDefault)).toEqual([]);
  });

  it('is bounded as its words say', () => {
    const words = settingWords(row);
    if (row.takes.is === 'whole' || row.takes.is === 'duration') {
      const bounds = boundsIn(words);
      const [least = 0, most = 0] = bounds.map((bound) => parseDuration(bound) ?? Number(bound));
      const written = row.takes.is === 'whole' ? String : formatDuration;
      for (const inside of bounds) expect(problemsOf(key, inside)).toEqual([]);
      const outside = [most + 1, ...(least > 0 ? [least - 1] : [])];
      for (const value of outside) expect(problemsOf(key, written(value))).toHaveLength(1);
      expect(problemsOf(key, 'none')).toHaveLength(words.includes('or none') ? 0 : 1);
    }
    const choices = row.takes.is === 'oneOf' ? row.takes.of : [];
    for (const choice of choices) {
      expect(words).toContain(choice);
      expect(problemsOf(key, choice)).toEqual([]);
    }
  });

  it('is in the example and in the schema of campaign files', () => {
    const [first = '', ...more] = key.split('.');
    expect(EXAMPLE).toMatch(new RegExp(`^(# )?${first}: `, 'm'));
    if (more.length > 0) expect(EXAMPLE).toContain(`#   ${more.join('.')}: `);
    expect(campaignSchema()).toContain(JSON.stringify(settingWords(row)).slice(1, -1));
  });
});

describe('the table of settings', () => {
  const { settings } = resolveSettings({
    cwd: '/',
    defaults: { timezone: 'UTC', agent: 'ag_1' },
  });
  const printed = printSettings(settings);

  it('prints each setting of a new campaign with the default that its row names', () => {
    const byPlace = ['agent', 'timezone', 'requests', 'rules', 'results.file', 'results.format'];
    const rows = SETTING_ROWS.filter(([key]) => key in printed && !byPlace.includes(key));
    expect(Object.fromEntries(rows.map(([key]) => [key, printed[key]]))).toEqual(
      Object.fromEntries(rows.map(([key, { byDefault }]) => [key, byDefault])),
    );
    expect(rows.length).toBeGreaterThan(25);
  });

  it('names the defaults that other parts have of their own', () => {
    expect(printed).toMatchObject({
      refusals: String(MOST_REFUSALS),
      after: SOURCE_DEFAULTS.after,
      leadsMode: SOURCE_DEFAULTS.mode,
      leadsMaxMegabytes: String(SOURCE_DEFAULTS.maxMegabytes),
      watch: { true: 'yes', false: 'no' }[String(SOURCE_DEFAULTS.watch)],
    });
  });

  it('knows the parts of a group, and that a key with a dot need not belong to one', () => {
    expect(partsOf('hours')).toEqual(['hours.from', 'hours.to', 'hours.days']);
    expect(groupOf('polling.floor')).toBeUndefined();
  });

  it('has parts that are followed as their group is', () => {
    expect(partsOf('retry').every(isFollowed)).toBe(true);
    expect(['concurrency', 'hours'].every(isFollowed)).toBe(true);
    expect(['refusals', 'polling.floor'].some(isFollowed)).toBe(false);
  });

  it('keeps none where the default is something else', () => {
    const { settings: kept } = resolveSettings({
      ...{ cwd: '/', sets: ['suppression.maxAge=none'] },
      defaults: { timezone: 'UTC', agent: 'ag_1' },
    });
    expect(printSettings(kept)['suppression.maxAge']).toBe('none');
  });

  it('makes an example whose comments are entries that hold', () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'all.yaml'), EXAMPLE.replaceAll(/^# (?=[a-z]\w*: )/gm, ''));
    const { lines } = loadCampaignFile('all.yaml', cwd);
    const missing = CAMPAIGN_KEYS.filter((key) => !lines.has(key));
    expect(missing).toEqual(['service.url', 'service.profile', 'hours', 'stop', 'retry']);
  });
});
