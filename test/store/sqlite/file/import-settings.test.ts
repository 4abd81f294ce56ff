import { expect, test } from 'vitest';
import { sqlOf } from '../../../../src/store/sql/sql.ts';
import { campaignTable } from '../../../../src/store/sql/tables/campaigns.ts';
import { leadTable } from '../../../../src/store/sql/tables/leads.ts';
import { START } from '../../../helpers/clock.ts';
import { aCampaign, aPhone, CREATED } from '../../../helpers/factory.ts';
import { aConnection, aDatabasePath } from '../database.ts';

test('a connection checkpoints seldom while it brings a list in alone, often beside a runner, and as before once that is done', () => {
  const db = aConnection(aDatabasePath());
  const settings = () =>
    ['wal_autocheckpoint', 'cache_size'].map((name) => db.pragma(name, { simple: true }));
  const campaign = aCampaign();
  const sql = sqlOf(db);
  campaignTable(sql).writes.createCampaign(campaign, CREATED);
  const { writes } = leadTable(sql);
  const before = settings();
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      phone: aPhone(from + n),
      line: from + n,
      cells: [],
    }));
  for (const [n, id] of ['first', 'second'].entries()) {
    writes.beginList(campaign.id, { id, path: id, sha256: id, headers: [], at: START });
    writes.addLeads(id, rows(n * 600, 500));
    expect(settings()).toEqual([20_000, -8_000]);
    writes.addLeads(id, rows(n * 600 + 500, 40));
    expect(settings()).toEqual([1_000, -8_000]);
    writes.finishList(id, { good: 0, rejected: 0, duplicates: 0 });
    expect(settings()).toEqual(before);
  }
});
