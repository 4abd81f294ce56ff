import { describe, expect, it } from 'vitest';
import { requireRemoteSettings } from '../../src/app/access/identity.ts';
import { placeOfCommand } from '../../src/console/pages/parts/places.ts';
import { blankReason } from '../../src/domain/lists/person.ts';
import {
  costIn,
  NOTHING_SPENT,
  pricesIn,
  sumOf,
  withSettled,
} from '../../src/domain/nights/spent.ts';
import { surveyList } from '../../src/leads/import.ts';
import { tempList } from '../leads/temp-list.ts';
import { zoneNamed } from '../../src/leads/zones/place-of-person.ts';
import { compileBody } from '../../src/service/http/body.ts';
import { parsePath, readPath, writePath } from '../../src/service/profile/read-fields.ts';
import { payloadOf } from '../../src/service/webhooks/delivery.ts';

describe.each(['constructor', '__proto__', 'toString'])(
  '%s from outside is a name as any other',
  (name) => {
    it('of a column that is missing', () => {
      expect(blankReason([name], {})).toBe(`"${name}" is blank in the list`);
    });

    it('of a column whose blank cells are counted', async () => {
      const path = tempList(`phone,${name}\n+12125550100,\n+12125550101,x\n+12125550102,\n`);
      const { blanks } = await surveyList(path, { country: null });
      expect(blanks.get(name)).toBe(2);
    });

    it('in a cell of time zones', () => {
      expect(zoneNamed(name, 'US')).toBeUndefined();
    });

    it('of a currency', () => {
      const call = {
        result: 'answered',
        durationMs: 60_000,
        atMostMs: 60_000,
        cost: '0.5',
      } as const;
      const spent = withSettled(withSettled(NOTHING_SPENT, { ...call, currency: name }), {
        ...call,
        currency: name,
      });
      expect(costIn(sumOf([spent, spent]), name)).toBe('2');
      expect(pricesIn(NOTHING_SPENT, name)).toBeNull();
    });

    it('of a setting that a page sends, and of a command and an address of the pages', () => {
      expect(() => {
        requireRemoteSettings([`${name}=1`], 'spring');
      }).not.toThrow();
      expect(placeOfCommand(`callsheet ${name} spring`)).toBeUndefined();
    });

    it('in the paths and the body of a profile', () => {
      expect(readPath({}, parsePath(`/${name}`))).toBeUndefined();
      const body = {};
      writePath(body, [name, 'polluted'], 1);
      writePath(body, [name, 'again'], 2);
      expect(JSON.stringify(body)).toBe(`{"${name}":{"polluted":1,"again":2}}`);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(compileBody({ a: `{{${name}?}}` }).render({})).toEqual({});
    });

    it('in a form that a webhook brings', () => {
      const form = Buffer.from(`${name}=a&${name}=b`);
      expect(JSON.stringify(payloadOf(form, 'application/x-www-form-urlencoded'))).toBe(
        `{"${name}":"a"}`,
      );
    });
  },
);
