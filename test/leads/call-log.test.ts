import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCallLog as readAnyLog } from '../../src/leads/call-log.ts';
import { tempFolder } from '../helpers/files/temp.ts';

const AT = Date.UTC(2026, 0, 5, 15);
const of = new Set(['+12125550100']);

function readCallLog(path: string, country: string | null) {
  return readAnyLog(path, country, of);
}

describe('a call log', () => {
  it('that is not there is named once', async () => {
    const path = join(tempFolder(), 'calls.csv');
    await expect(readCallLog(path, null)).rejects.toMatchObject({
      code: 'LIST_NOT_FOUND',
      message: `${path} does not exist.`,
    });
  });

  it.each([
    'number,call_id,started_at',
    'Phone,callId,startedAt',
    'To,Call ID,Time',
    'phone number,id,Start Time',
  ])('has its columns found by their headers: %s', async (headers) => {
    const path = aLog(`${headers}\n+12125550100,c1,2026-01-05T15:00:00Z\n`);
    expect(await readCallLog(path, null)).toEqual({
      read: 1,
      calls: [{ line: 2, phone: '+12125550100', callId: 'c1', startedAt: AT }],
      problems: [],
      unread: 0,
    });
  });

  it.each([
    '2026-01-05T15:00:00Z',
    '2026-01-05 15:00:00.000 UTC',
    '2026-01-05T10:00:00-05:00',
    '2026-01-05 10:00 -0500',
    '1767625200',
    '1767625200000',
  ])('has times with a zone, however they are written: %s', async (time) => {
    const path = aLog(`to,id,time\n+12125550100,c1,${time}\n`);
    const { calls } = await readCallLog(path, null);
    expect(calls).toMatchObject([{ startedAt: AT }]);
  });

  it('takes the zone of all times from the header where it stands there', async () => {
    const path = aLog('to,id,Started at (UTC)\n+12125550100,c1,2026-01-05 15:00:00\n');
    const { calls } = await readCallLog(path, null);
    expect(calls).toMatchObject([{ startedAt: AT }]);
  });

  it('leaves out what it would have to guess, and says which rows', async () => {
    const rows = [
      '+12125550100,c1,2026-01-05 15:00:00',
      '+12125550100,,2026-01-05T15:00:00Z',
      '2125550100,c3,2026-01-05T15:00:00Z',
      '+12125550100,c4,2026-13-45T15:00:00Z',
    ];
    const log = await readCallLog(
      aLog(`to;id;time\n${rows.join('\n').replaceAll(',', ';')}\n`),
      null,
    );
    expect(log).toMatchObject({ calls: [], unread: 4 });
    expect(log.problems).toEqual([
      expect.stringMatching(/^line 2: "2026-01-05 15:00:00" is no time with a zone/),
      'line 3: the call has no id',
      expect.stringMatching(/^line 4: "2125550100"/),
    ]);
  });

  it('counts calls to other numbers, and keeps none of them', async () => {
    const rows = ['+12125550101,c1,1767625200', '+12125550100,c2,1767625200'];
    const log = await readCallLog(aLog(`to,id,time\n${rows.join('\n')}\n`), null);
    expect(log).toMatchObject({ read: 2, calls: [{ callId: 'c2' }] });
  });

  it('reads numbers without + as those of the campaign’s country', async () => {
    const path = aLog('to,id,time\n(212) 555-0100,c1,2026-01-05T15:00:00Z\n');
    expect((await readCallLog(path, 'US')).calls).toMatchObject([{ phone: '+12125550100' }]);
  });

  it.each([
    ['id,time\nc1,1\n', 'number', 'its columns are "id", "time"; allowed names are number, phone,'],
    ['to,time\n+1,1\n', 'call id', 'allowed names are call id,'],
    ['to,id\n+1,c1\n', 'time', 'allowed names are started at,'],
    ['\n', 'number', 'it is empty'],
  ])('without a column is refused with the names that are allowed: %j', async (text, what, why) => {
    const path = aLog(text);
    const refused = readCallLog(path, null);
    await expect(refused).rejects.toMatchObject({ code: 'LOG_HAS_NO_COLUMN', exitCode: 2 });
    await expect(refused).rejects.toThrow(`${path} has no column for the ${what}: `);
    await expect(refused).rejects.toThrow(why);
  });
});

function aLog(text: string): string {
  const path = join(tempFolder(), 'calls.csv');
  writeFileSync(path, text);
  return path;
}
