import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { RejectedRow } from './rejects.ts';
import { useMending } from './use-mending.ts';

function mend(row: Partial<RejectedRow> & { fields: RejectedRow['fields'] }) {
  const whole: RejectedRow = { index: 0, code: 'BAD_REQUEST', error: '', field: null, text: '', ...row };
  const { result } = renderHook(() => useMending([whole]));
  const type = (text: string) => {
    for (let end = 1; end <= text.length; end += 1) {
      // A key goes behind what stands in the cell.
      const shown = end === 1 ? '' : result.current.cell(whole, 'price');
      act(() => result.current.setCell(whole, 'price', shown + text[end - 1]));
    }
  };
  return { type, whole, mending: () => result.current };
}

it.each([
  ['1.05', 1.05],
  ['0.05', 0.05],
  ['-0.50', -0.5],
  ['null and void', 'null and void'],
  ['[1, 2]', [1, 2]],
])('keeps %j as it is typed, key by key', (text, value) => {
  const { type, whole, mending } = mend({ fields: { price: 'n/a' } });
  type(text);
  expect(mending().cell(whole, 'price')).toBe(text);
  expect(mending().documents()).toEqual([{ price: value }]);
});

it('takes what is typed into a field that has to be a text for one', () => {
  const { type, mending } = mend({ fields: { price: 7 }, field: 'price', error: 'price: must be a string' });
  type('12');
  expect(mending().documents()).toEqual([{ price: '12' }]);
});

it('shows what a rule made of a cell that was typed in', () => {
  const { type, whole, mending } = mend({ fields: { price: 'n/a' } });
  type('$1.50');
  act(() => mending().apply([whole], { rule: 'number', field: 'price', text: '' }));
  expect(mending().cell(whole, 'price')).toBe('1.5');
});
