import { expect, it } from 'vitest';
import type { SearchPart } from '#server/engine/types.ts';
import { CallBudget } from './call-budget.ts';
import { EngineBusyError, SearchTimeoutError } from './call-errors.ts';

const budgetMs = 100;
const budgetOf = (call: 'search' | 'ids' | 'apply', signal?: AbortSignal) =>
  new CallBudget({ call }, { budgetMs, signal, now: 0 });
const turn = (ms: number, part: SearchPart | null = null) => ({ tookMs: ms, computedMs: ms, part });

it('ends a call that has computed for longer, and names the part that took most', () => {
  const budget = budgetOf('search');
  expect(budget.end(60, turn(60, 'filter'))).toBeNull();
  expect(budget.end(100, turn(40, 'facets'))).toBeNull();
  const fault = budget.end(101, turn(1, 'facets'));
  expect(fault).toBeInstanceOf(SearchTimeoutError);
  expect(fault).toMatchObject({ part: 'filter', budgetMs });
});

it('ends a call that has waited for longer, its waits between turns together', () => {
  const budget = budgetOf('search');
  expect(budget.begin(60)).toBeNull();
  expect(budget.end(70, turn(10))).toBeNull();
  expect(budget.begin(110)).toBeNull();
  expect(budget.end(120, turn(10))).toBeNull();
  expect(budget.begin(121)).toBeInstanceOf(EngineBusyError);
});

it('counts as waited what its thread took without a processor', () => {
  const budget = budgetOf('search');
  expect(budget.end(110, { tookMs: 110, computedMs: 9, part: null })).toBeNull();
  expect(budget.begin(110)).toBeInstanceOf(EngineBusyError);
});

it('counts what the system tells late when it tells it', () => {
  const budget = budgetOf('search');
  for (let i = 0; i < 30; i++) budget.end(0, { tookMs: 4, computedMs: i % 2 === 0 ? 0 : 8, part: null });
  expect(budget.begin(0)).toBeInstanceOf(SearchTimeoutError);
  const short = budgetOf('search');
  for (let i = 0; i < 20; i++) short.end(0, { tookMs: 4, computedMs: i % 2 === 0 ? 8 : 0, part: null });
  expect(short.begin(99)).toBeNull();
});

it('is one for the searches of a request, and each has its own to wait', () => {
  const { signal } = new AbortController();
  expect(budgetOf('search', signal).end(90, turn(90))).toBeNull();
  const second = budgetOf('search', signal);
  expect(second.begin(80)).toBeNull();
  expect(second.end(91, turn(11))).toBeInstanceOf(SearchTimeoutError);
  expect(budgetOf('search', signal).begin(0)).toBeInstanceOf(SearchTimeoutError);
  expect(budgetOf('search', new AbortController().signal).begin(0)).toBeNull();
});

it('is ten times as much for what reads a collection, of its own', () => {
  const { signal } = new AbortController();
  budgetOf('search', signal).end(100, turn(100));
  const budget = budgetOf('ids', signal);
  expect(budget.begin(1_000)).toBeNull();
  expect(budget.end(2_000, turn(1_000))).toBeNull();
  expect(budget.end(2_001, turn(1))).toMatchObject({ budgetMs: 1_000 });
  expect(budgetOf('search', signal).begin(0)).toBeNull();
});

it('a write has none: it is stored already', () => {
  const budget = budgetOf('apply');
  expect(budget.begin(3_600_000)).toBeNull();
  expect(budget.end(7_200_000, turn(3_600_000))).toBeNull();
  expect(budget.onWaited(() => undefined)).toBeUndefined();
});
