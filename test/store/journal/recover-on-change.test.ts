import { copyFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CAMPAIGN, claimedOne, ENTRY, exported } from '../../conformance/store/setup.ts';
import { aPhone } from '../../helpers/factory.ts';
import { journalPath } from '../../../src/store/journal/journal.ts';
import { aBackedUpDatabase } from '../sqlite/file/backup.ts';
import { aStore } from '../sqlite/database.ts';

/** An import, `cancel` or `suppress`: whatever writes and does not dial. */
describe('a command that changes a database which was set back', () => {
  it('tells of nobody who was called as one who was not', async () => {
    const { path, from, store } = await aBackedUpDatabase();
    const { phone } = await claimedOne(store);
    await store.close();
    copyFileSync(from, path);

    const recovered: number[] = [];
    const again = aStore(path, {
      mode: 'write',
      onRecovered: (attempts) => recovered.push(attempts),
    });
    await again.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);

    expect(recovered).toEqual([1]);
    expect(phone).toBe(aPhone(0));
    const [called, next] = await exported(again);
    expect(called).toMatchObject({ state: 'calling', attempt: { state: 'unknown' } });
    expect(next).toMatchObject({ attempt: null });
  });

  it('is made where the journal is missing, too', async () => {
    const { path, store } = await aBackedUpDatabase();
    await claimedOne(store);
    await store.close();
    rmSync(journalPath(path));

    const again = aStore(path, { mode: 'write' });
    await again.changeCampaign(CAMPAIGN, { state: 'cancelled' }, ENTRY);

    const campaigns = await again.listCampaigns();
    expect(campaigns.find(({ id }) => id === CAMPAIGN)).toMatchObject({ state: 'cancelled' });
    expect(() => aStore(path)).toThrow('missing, cut short or overwritten');
  });
});
