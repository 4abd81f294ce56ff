import { describe, expect, it } from 'vitest';
import { addList, CAMPAIGN } from '../../../conformance/store/setup.ts';
import { START } from '../../../helpers/clock.ts';
import { aLead } from '../../../helpers/factory.ts';
import { aRunningDatabase, change } from '../../sqlite/database.ts';

const PEOPLE = 24_000;
const PLACE = 'America/New_York';

describe('of people who wait at one place, those who are due are told apart', () => {
  it.each([
    ['few are due', 10],
    ['few are due later', PEOPLE - 10],
    ['many are due, and many later', PEOPLE / 2],
  ])('where %s', async (_, due) => {
    const { path, store } = await aRunningDatabase({ leads: 0 });
    const leads = Array.from({ length: PEOPLE }, (_unused, n) => aLead(n, { zoneKey: PLACE }));
    for (let n = 0; n < PEOPLE; n += 1_000) {
      const list = { id: `list_${n}`, sha256: `aa${n}` };
      await addList(store, CAMPAIGN, leads.slice(n, n + 1_000), list);
    }
    const rows = `SELECT row FROM leads WHERE campaign_id = '${CAMPAIGN}' ORDER BY row`;
    const later = `UPDATE leads SET not_before = ${START + 1} + row`;
    change(path, `${later} WHERE row IN (${rows} LIMIT -1 OFFSET ${due})`);

    const [now, then, ...others] = await store.placesOf(CAMPAIGN, START);

    expect(others).toEqual([]);
    expect([now?.waiting, then?.waiting]).toEqual([due, PEOPLE - due]);
    expect(now?.firstNotBefore).toBeLessThanOrEqual(START);
    expect(then?.firstNotBefore).toBeGreaterThan(START);
    const inAll = await store.placesOf(CAMPAIGN, START + 2 * PEOPLE);
    expect(inAll.map(({ waiting }) => waiting)).toEqual([PEOPLE]);
  });
});
