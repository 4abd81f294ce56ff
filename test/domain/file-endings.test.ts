import { expect, it } from 'vitest';
import { refusedEnding, workingEnding } from '../../src/domain/file-trouble.ts';

it('a name that promises another kind of file is refused with the endings there are', () => {
  expect(refusedEnding('-o', 'spring.PDF')).toBe(
    '-o "spring.PDF" ends in .PDF, and results are written as .csv, .xlsx or .jsonl; name a file that ends in one of these, or say with --format which of csv, excel, xlsx and jsonl to write.',
  );
});

it.each(['spring.csv', 'spring.xlsx', 'spring.jsonl', 'spring.ndjson', 'spring.txt', 'spring'])(
  'the name %s promises nothing else',
  (name) => {
    expect(refusedEnding('-o', name)).toBeUndefined();
  },
);

it.each(['campaigns/services.yaml', 'spring.yml', 'calls.db', 'calls.db.dials', 'voice.KEY'])(
  'the name %s is that of a file that is worked with',
  (name) => {
    expect(workingEnding(name)).toBe(name.slice(name.lastIndexOf('.')));
  },
);

it('the name of a table is not that of a file that is worked with', () => {
  expect(workingEnding('spring.csv')).toBeUndefined();
});
