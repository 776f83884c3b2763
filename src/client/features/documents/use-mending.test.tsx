import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { RejectedRow } from './rejects.ts';
import { useMending } from './use-mending.ts';

function mend(row: Partial<RejectedRow> & { fields: RejectedRow['fields'] }) {
  const whole: RejectedRow = {
    index: 0,
    code: 'BAD_REQUEST',
    error: '',
    field: null,
    text: '',
    isUneven: false,
    ...row,
  };
  const owner = {};
  const open = () => renderHook(() => useMending([whole], owner));
  const { result, unmount } = open();
  const type = (text: string) => {
    for (let end = 1; end <= text.length; end += 1) {
      // A key goes behind what stands in the cell.
      const shown = end === 1 ? '' : result.current.cell(whole, 'price');
      act(() => result.current.setCell(whole, 'price', shown + text[end - 1]));
    }
  };
  const openAgain = () => {
    unmount();
    return open().result.current;
  };
  return { type, whole, mending: () => result.current, openAgain };
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

it('sends a row whose cells may be in the wrong columns only once it was changed', () => {
  const { type, mending } = mend({ fields: { price: 'n/a' }, isUneven: true });
  expect(mending().documents()).toEqual([]);
  type('2');
  expect(mending().documents()).toEqual([{ price: 2 }]);
});

it('keeps what was typed while the dialog is closed, and leaves out what was sent', () => {
  const { type, whole, mending, openAgain } = mend({ fields: { price: 'n/a' } });
  type('1.05');
  const again = openAgain();
  expect(again.cell(whole, 'price')).toBe('1.05');
  expect(again.documents()).toEqual([{ price: 1.05 }]);
  act(() => mending().leaveOutSent());
  expect(openAgain().documents()).toEqual([]);
  expect(openAgain().of(whole).isLeftOut).toBe(true);
});
