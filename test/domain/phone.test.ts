import { describe, expect, it } from 'vitest';
import { isE164, maskPhone } from '../../src/domain/phone.ts';

describe('isE164', () => {
  it.each(['+12125550123', '+1234567', '+123456789012345'])('takes %s', (text) => {
    expect(isE164(text)).toBe(true);
  });

  it.each([
    ['has no plus', '12125550123'],
    ['begins with a zero', '+02125550123'],
    ['has 6 digits', '+123456'],
    ['has 16 digits', '+1234567890123456'],
    ['has blanks', '+1 212 555 0123'],
    ['has letters', '+1212555CALL'],
    ['has digits of another script', '+1٢١٢٥٥٥٠١٢٣'],
    ['goes on after a line end', '+12125550123\n'],
    ['is empty', ''],
  ])('refuses a text that %s', (_case, text) => {
    expect(isE164(text)).toBe(false);
  });
});

describe('maskPhone', () => {
  it('shows the first digit and the last two only', () => {
    expect(maskPhone('+12125550123')).toBe('+1********23');
  });

  it('keeps the length, so that two masked numbers can still be told apart by it', () => {
    expect(maskPhone('+1234567')).toHaveLength('+1234567'.length);
  });
});
