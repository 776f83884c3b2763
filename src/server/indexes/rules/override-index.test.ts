import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryWords } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import type { Override } from '#shared/overrides.ts';
import { OverrideIndex } from './override-index.ts';

const at = (time: string) => new Date(`2026-01-${time}T00:00:00Z`);
const override = (id: string, query: string, given: Partial<Override> = {}): Override => ({
  id,
  rule: { query, match: 'exact' },
  active: true,
  ...given,
});
const contains = (id: string, query: string, given: Partial<Override> = {}): Override =>
  override(id, query, { rule: { query, match: 'contains' }, ...given });
const idFor = (overrides: Override[], query: string, now = at('10')) =>
  runSteps(OverrideIndex.of(overrides)).find(query, now)?.id ?? null;

describe('an override', () => {
  it.each([
    ['Red Shoes', 'red  shoes!', true],
    ['café', 'CAFE', true],
    ['red shoes', 'red shoe', false],
    ['red shoes', 'red shoes cheap', false],
    ['*', '*', true],
    ['*', '', true],
    ['*', 'red', false],
  ])('exact %j and the query %j', (rule, query, isMatch) => {
    expect(idFor([override('a', rule)], query)).toBe(isMatch ? 'a' : null);
  });

  it.each([
    ['red shoes', 'cheap RED shoes', true],
    ['red shoes', 'red cheap shoes', false],
    ['red shoes', 'shoes red', false],
    ['red', 'redder', false],
    ['the who', 'the who tickets', true],
  ])('contains %j and the query %j', (rule, query, isMatch) => {
    expect(idFor([contains('a', rule)], query)).toBe(isMatch ? 'a' : null);
  });

  it('acts from its beginning on and before its end, if it is active', () => {
    const window = { from: '2026-01-10T00:00:00Z', until: '2026-01-20T00:00:00Z' };
    const inWindow = [override('a', 'x', window)];
    const found = ['09', '10', '19', '20'].map((day) => idFor(inWindow, 'x', at(day)));
    expect(found).toEqual([null, 'a', 'a', null]);
    expect(idFor([override('a', 'x', { active: false })], 'x')).toBeNull();
    // The next one acts where the first does not.
    expect(idFor([override('a', 'x', { until: window.from }), override('b', 'x')], 'x')).toBe('b');
  });

  it('is the first of all that match and act, as a plain search finds it', () => {
    const word = fc.constantFrom('red', 'Rot', 'shoe', 'the');
    const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    const some = fc.record({
      rule: fc.record({ query: phrase, match: fc.constantFrom('exact' as const, 'contains' as const) }),
      active: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), fc.array(word, { maxLength: 6 }), (all, query) => {
        const overrides = all.map((each, i) => ({ id: String(i).padStart(2, '0'), ...each }));
        const words = queryWords(query.join(' '));
        const isIn = (rule: readonly string[]) =>
          words.some((_, i) => rule.every((each, j) => words[i + j] === each));
        const expected = overrides.find(({ rule, active }) => {
          const own = queryWords(rule.query);
          return active && (rule.match === 'exact' ? own.join(' ') === words.join(' ') : isIn(own));
        });
        expect(idFor(overrides, query.join(' '))).toBe(expected?.id ?? null);
      }),
      { numRuns: 500 },
    );
  });
});
