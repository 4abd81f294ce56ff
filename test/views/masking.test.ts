import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { marked, moment, money, name, pageOf, phone, said, text } from '../../src/views/fields.ts';
import { masking } from '../../src/views/masking.ts';

const NUMBER = '+12125550143';
const MASKED = '+1********43';

const masked = (schema: z.ZodType, value: unknown) => masking(schema)?.(value);

describe('a view for a person who may not read what was said', () => {
  const call = z.object({
    id: z.string(),
    phone,
    at: moment,
    cost: money.nullable(),
    reason: text.nullable(),
    file: name.optional(),
    turns: marked('said', z.array(z.object({ speaker: z.string(), text: z.string() })).nullable()),
    transcript: said.describe('Null where `turns` say it'),
  });
  const CALL: z.infer<typeof call> = {
    ...{ id: NUMBER, phone: NUMBER, at: '2026-01-05T18:02:00-05:00' },
    cost: { amount: '0.12', currency: 'EUR' },
    reason: `The service says: ${NUMBER} is busy.`,
    file: 'called-2026-01-05.csv',
    turns: [{ speaker: 'agent', text: 'Good evening.' }],
    transcript: 'Good evening.',
  };
  const SHOWN = {
    ...CALL,
    phone: MASKED,
    reason: `The service says: ${MASKED} is busy.`,
    turns: null,
    transcript: null,
  };

  it('has masked numbers and nothing that was said, and is still of its schema', () => {
    expect(masked(call, CALL)).toEqual(SHOWN);
    expect(call.parse(SHOWN)).toEqual(SHOWN);
  });

  it('keeps what is absent or null', () => {
    const some = z.object({ reason: text.nullable(), file: name.optional() });
    expect(masked(some, { reason: null })).toStrictEqual({ reason: null });
  });

  it('is masked in lists, records, defaults and options, however deep', () => {
    const deep = pageOf(
      z.object({ calls: z.record(z.string(), z.array(call)), note: text.default('') }),
    );
    expect(masked(deep, { items: [{ calls: { a: [CALL] }, note: NUMBER }], next: null })).toEqual({
      items: [{ calls: { a: [SHOWN] }, note: MASKED }],
      next: null,
    });
    const either = z.discriminatedUnion('is', [
      z.object({ is: z.literal('call'), call }),
      z.object({ is: z.enum(['none', 'later']) }),
    ]);
    expect(masked(either, { is: 'call', call: CALL })).toEqual({ is: 'call', call: SHOWN });
    expect(masked(either, { is: 'later' })).toEqual({ is: 'later' });
    expect(() => masked(either, { is: 'other', call: CALL })).toThrow('no option of "is" is other');
  });

  it('has no key that the schema does not name', () => {
    expect(masked(call, { ...CALL, secret: NUMBER })).not.toHaveProperty('secret');
  });

  it('is left as it is where nothing is marked', () => {
    const counts = z.object({ made: z.int(), by: z.union([z.string(), z.null()]) });
    expect(masking(counts)).toBeNull();
  });

  it('keeps a mark through what is made of its schema', () => {
    for (const schema of [
      phone.describe('To call'),
      phone.min(3),
      phone.max(20).refine((one) => one !== ''),
      phone.nullable().optional(),
    ])
      expect(masked(schema, NUMBER)).toBe(MASKED);
    expect(masking(z.string())).toBeNull();
  });
});

describe('a schema that masking cannot judge is refused at once:', () => {
  it.each<[string, z.ZodType]>([
    ['anything', z.unknown()],
    ['any', z.any()],
    ['a tuple', z.tuple([phone])],
    ['a lazy one', z.lazy(() => phone)],
    ['a transformed one', phone.transform(String)],
    ['one piped into another', phone.pipe(z.string())],
    ['one with a fallback', phone.catch('')],
    ['a readonly one', z.object({ phone }).readonly()],
    ['two at once', z.intersection(z.object({ phone }), z.object({ text }))],
    ['a map', z.map(z.string(), phone)],
    ['a set', z.set(phone)],
    ['a custom one', z.custom<string>()],
    ['further keys', z.looseObject({ id: z.string() })],
    ['keys of a catchall', z.object({}).catchall(phone)],
    ['a masked key', z.record(phone, z.string())],
    ['a union without a discriminator', z.union([phone, z.int()])],
    ['said text that cannot be null', marked('said', z.string())],
    ['a number that is no text', marked('phone', z.int())],
  ])('%s', (_, schema) => {
    expect(() => masking(z.object({ deep: z.array(schema) }))).toThrow(/deep\[\]/);
  });

  it('a file is no value', () => {
    expect(() => masked(marked('file', z.unknown()), 'text')).toThrow('sent as a stream');
  });
});
