import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../../src/store/claims.ts';
import { lineNumber, type JournalLine } from '../../../src/store/journal/journal-lines.ts';
import { DialJournal, journalPath, readJournal } from '../../../src/store/journal/journal.ts';
import { claimed, CAMPAIGN } from '../../conformance/store/setup.ts';
import { aPhone, anIntent } from '../../helpers/factory.ts';
import { aConnection, aDatabasePath, aRunningDatabase, aStore } from '../sqlite/database.ts';

describe('the dial journal', () => {
  it('has a line of every intent by the time the claim tells of it', async () => {
    const { path, store } = await aRunningDatabase();
    const before = entriesIn(journalPath(path)).length;

    const intents = await claimed(store, 3);

    expect(entriesIn(journalPath(path)).slice(before)).toEqual(
      intents.map(({ attemptId, key, phone }) => ({
        seq: Number(/^a(\d+)$/.exec(attemptId)?.[1]),
        campaignId: CAMPAIGN,
        key,
        ordinal: 1,
        phone,
        service: 'main',
        agent: 'ag_1',
        intentAt: intents[0]?.intentAt,
      })),
    );
  });

  it('stands beside the database, says which, and is readable by its owner only', () => {
    const path = aDatabasePath();
    aStore(path);
    const id = aConnection(path)
      .prepare("SELECT value FROM meta WHERE key = 'database_id'")
      .pluck()
      .get();

    expect(journalPath(path)).toBe(`${path}.dials`);
    expect(readFileSync(`${path}.dials`, 'utf8')).toBe(`callsheet-dials-1 ${String(id)}\n`);
    expect(statSync(`${path}.dials`).mode & 0o777).toBe(0o600);
  });

  it('is written to by two processes, none of whose lines is lost', async () => {
    const path = aDatabasePath();
    const [first, second] = [aJournal(path), aJournal(path)];

    await Promise.all([
      first.append([anEntry(1), anEntry(2)]),
      second.append([anEntry(3), anEntry(4)]),
      first.append([]),
      first.append([anEntry(5)]),
    ]);

    const seqs = entriesIn(path).map(({ seq }) => seq);
    expect(seqs.toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  it('passes over a line that a crash has torn', async () => {
    const path = aDatabasePath();
    await aJournal(path).append([anEntry(1)]);
    appendFileSync(path, '1234abcd {"seq":2,"campai');

    expect(entriesIn(path)).toEqual([anEntry(1)]);
  });

  it('passes over a line whose checksum does not fit', async () => {
    const path = aDatabasePath();
    await aJournal(path).append([anEntry(1), anEntry(2)]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":1', '"seq":7'));

    expect(entriesIn(path)).toEqual([anEntry(2)]);
  });

  it('keeps the next line whole after a torn one, for who opens it then and who has it open', async () => {
    const path = aDatabasePath();
    const open = aJournal(path);
    await open.append([anEntry(1)]);
    appendFileSync(path, 'torn');
    await aJournal(path).append([anEntry(2)]);
    appendFileSync(path, 'torn again');
    await open.append([anEntry(3)]);

    expect(entriesIn(path)).toEqual([1, 2, 3].map(anEntry));
  });

  it('begins anew when a crash tore its very first line: nothing was dialled yet', async () => {
    const path = aDatabasePath();
    writeFileSync(path, 'callsheet-dia');

    await aJournal(path).append([anEntry(1)]);

    const content = readJournal(path, 0);
    expect(content?.databaseId).toBe('database-1');
    content?.close();
    expect(entriesIn(path)).toEqual([anEntry(1)]);
  });

  it('can be read from where it was last verified, over many reads of the file', async () => {
    const path = aDatabasePath();
    const journal = aJournal(path);
    await journal.append([anEntry(1)]);
    const { size } = statSync(path);
    const many = Array.from({ length: 2_000 }, (_, i) => anEntry(i + 2));
    await journal.append(many);

    expect(entriesIn(path, size)).toEqual(many);
  });

  it('is read in time that grows with its length where bytes without a line end are in it', async () => {
    const path = aDatabasePath();
    const journal = aJournal(path);
    await journal.append([anEntry(1)]);
    const { size } = statSync(path);
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let written = 0; written < 128 * 1024 * 1024; written += chunk.length)
      appendFileSync(path, chunk);
    await journal.append([anEntry(2)]);

    const [first, damaged, second, ...others] = linesIn(path).slice(1);

    expect([first, second]).toMatchObject([{ entry: anEntry(1) }, { entry: anEntry(2) }]);
    // What it says is left out: it may be about anybody.
    expect(damaged).toEqual({ at: size, kind: 'damaged', text: '' });
    expect(others).toEqual([]);
    expect(lineNumber(path, size)).toBe(4);
    const longest = 'x'.repeat(64 * 1024 - 1);
    appendFileSync(path, `${longest}\n`);
    expect(linesIn(path).at(-1)).toMatchObject({ text: longest });
  });

  it('is nobody`s when its first line is not ours', () => {
    const path = aDatabasePath();
    writeFileSync(path, 'name,phone\n');

    const content = readJournal(path, 0);

    expect(content?.databaseId).toBeNull();
    content?.close();
  });

  it('may not be there', () => {
    expect(readJournal(aDatabasePath(), 0)).toBeUndefined();
  });
});

function aJournal(path: string): DialJournal {
  const journal = DialJournal.open(path, 'database-1');
  onTestFinished(() => {
    journal.close();
  });
  return journal;
}

function anEntry(seq: number): JournalEntry {
  const intent = anIntent({ attemptId: `att_${seq}`, phone: aPhone(seq) });
  const { key, ordinal, phone, agent, intentAt } = intent;
  const where = { campaignId: CAMPAIGN, service: 'main é' };
  return { seq, key, ordinal, phone, agent, intentAt, ...where };
}

function entriesIn(path: string, offset = 0): JournalEntry[] {
  return linesIn(path, offset).flatMap((line) => (line.kind === 'dial' ? [line.entry] : []));
}

function linesIn(path: string, offset = 0): JournalLine[] {
  const content = readJournal(path, offset);
  if (content === undefined) throw new Error('there is no journal');
  const lines = [...content.lines];
  content.close();
  return lines;
}
