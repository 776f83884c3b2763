import { expect, test } from 'vitest';
import { type Doc, Ledger } from './ledger.ts';

const old = { id: '1', n: 1 };
const changed = { id: '1', n: 2 };

function ledgerWith(answered: typeof old): Ledger {
  const ledger = new Ledger();
  ledger.ask(answered.id, answered);
  ledger.answer(answered.id);
  return ledger;
}

test('what was answered must be there, as it was answered', () => {
  expect(ledgerWith(old).settle([old])).toEqual([]);
  expect(ledgerWith(old).settle([])[0]).toContain('1 is null, answered was {"id":"1","n":1}');
  expect(ledgerWith(old).settle([changed])[0]).toContain('1 is {"id":"1","n":2}');
});

test('nothing may be there twice or besides', () => {
  expect(ledgerWith(old).settle([old, old])).toEqual(['1 documents are there twice']);
  expect(ledgerWith(old).settle([old, { id: '2' }])[0]).toContain('2 is {"id":"2"}, answered was null');
});

test('what was asked and not answered may have happened or not, and is taken as found', () => {
  for (const found of [[old], [changed]]) {
    const ledger = ledgerWith(old);
    ledger.ask('1', changed);
    expect(ledger.settle(found)).toEqual([]);
    expect(ledger.settle(found)).toEqual([]);
  }
  const ledger = ledgerWith(old);
  ledger.ask('1', null);
  expect(ledger.settle([])).toEqual([]);
  expect(ledger.settle([old])).toHaveLength(1);
});

test('what was asked of several together is half done where one has it and another has not', () => {
  const ledger = new Ledger();
  const settle = (...found: Doc[]) => {
    ledger.answered.set('1', old).set('2', { ...old, id: '2' });
    ledger.open.clear();
    ledger.askTogether(
      new Map<string, Doc | null>([
        ['1', changed],
        ['2', null],
      ]),
    );
    return ledger.settle(found);
  };
  expect(settle(old, { ...old, id: '2' })).toEqual([]);
  expect(settle(changed)).toEqual([]);
  expect(settle(changed, { ...old, id: '2' })).toEqual(['what was asked of 1, 2 together is half done']);
});
