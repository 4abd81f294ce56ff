import { expect, test } from 'vitest';
import { campaignTable } from '../../../src/store/sqlite/campaigns.ts';
import { leadTable } from '../../../src/store/sqlite/leads.ts';
import { START } from '../../helpers/clock.ts';
import { aCampaign, CREATED } from '../../helpers/factory.ts';
import { aConnection, aDatabasePath } from './database.ts';

test('a connection checkpoints often while it brings a list in, and as before once that is done', () => {
  const db = aConnection(aDatabasePath());
  const settings = () =>
    ['wal_autocheckpoint', 'cache_size'].map((name) => db.pragma(name, { simple: true }));
  const campaign = aCampaign();
  campaignTable(db).create(campaign, CREATED);
  const leads = leadTable(db);
  const before = settings();
  for (const id of ['first', 'second']) {
    leads.beginList(campaign.id, { id, path: id, sha256: id, headers: [], at: START });
    expect(settings()).toEqual([1_000, -8_000]);
    leads.finishList(id, { good: 0, rejected: 0, duplicates: 0 });
    expect(settings()).toEqual(before);
  }
});
