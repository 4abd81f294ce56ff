import { describe, expect, it } from 'vitest';
import { fieldsOf, mergeColumns } from '../../../src/domain/lists/list-mapping.ts';

const NUMBERS = { headers: ['phone'], mapping: { fields: {} } };
const WITH_COUNTRY = {
  headers: ['Number', 'Country'],
  mapping: { fields: { country: 1 } },
};
const WITH_LAND = { headers: ['phone', 'Land'], mapping: { fields: { country: 1 } } };

describe('a column that a later list brings', () => {
  it('is that of its field, and a third list that names it otherwise corrects it, too', () => {
    const second = mergeColumns({ ...NUMBERS, added: [] }, WITH_COUNTRY);
    const merged = { ...NUMBERS, added: second.added };
    expect(fieldsOf(merged)).toEqual({ country: 2 });
    const cells = second.correct(['+12125550101'], ['+12125550101', 'US']);
    expect(cells).toEqual(['+12125550101', '+12125550101', 'US']);

    const third = mergeColumns(merged, WITH_LAND);
    expect(third.correct(cells, ['+12125550101', 'CA'])).toEqual([
      ...['+12125550101', '+12125550101', 'CA', 'CA'],
    ]);
  });

  it('keeps the column of a field that the first list has', () => {
    const { added } = mergeColumns({ ...WITH_COUNTRY, added: [] }, WITH_LAND);
    expect(fieldsOf({ ...WITH_COUNTRY, added })).toEqual({ country: 1 });
  });
});
