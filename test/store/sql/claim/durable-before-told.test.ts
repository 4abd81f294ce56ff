import { expect, it, onTestFinished, vi } from 'vitest';
import { DialJournal } from '../../../../src/store/journal/journal.ts';
import { claimed } from '../../../conformance/store/setup.ts';
import { aConnection, aRunningDatabase } from '../../sqlite/database.ts';

it('the attempts of a claim are committed before the journal has a line of them, let alone a dial is told', async () => {
  const { path, store } = await aRunningDatabase({ leads: 3 });
  const other = aConnection(path);
  const append = vi.spyOn(DialJournal.prototype, 'append').mockImplementation(async (entries) => {
    const committed = other.prepare("SELECT key FROM attempts WHERE state = 'intent'").pluck();
    expect(committed.all()).toEqual(entries.map(({ key }) => key));
  });
  onTestFinished(() => {
    append.mockRestore();
  });

  await claimed(store, 3, { want: 3 });

  expect(append).toHaveBeenCalledOnce();
});
