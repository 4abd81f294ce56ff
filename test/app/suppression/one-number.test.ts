import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { suppressionList } from '../../../src/app/suppression/suppress.ts';
import type { E164 } from '../../../src/domain/phone.ts';
import { fakeWorld } from '../../helpers/fake-io.ts';
import { aDatabasePath, aStore } from '../../store/sqlite/database.ts';

it('one number is found behind a thousand longer ones that begin in the same way, where numbers have several lengths', async () => {
  const path = aDatabasePath();
  const store = aStore(path, { mode: 'write' });
  const entry = { at: 0, source: 'file', note: null, who: 'ann', expiresAt: null } as const;
  // All of the numbers that Germany keeps for fiction.
  const longer = Array.from({ length: 1_000 }, (_, n) => `+493023125${80_000 + n}`);
  await store.suppress(longer.map((phone) => ({ ...entry, phone: phone as E164 })));
  await store.suppress([{ ...entry, phone: '+49302312504' as E164 }]);
  await store.suppress([{ ...entry, phone: '+4930231259' as E164 }]);
  const world = fakeWorld({ cwd: dirname(path) });

  for (const number of ['+4930231259', '+49302312504']) {
    const { list } = await suppressionList({ db: path, number }, world);
    expect(list.items.map(({ phone }) => phone)).toEqual([number]);
  }
});
