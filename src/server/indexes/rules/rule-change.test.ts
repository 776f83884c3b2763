import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps, type Steps } from '#server/engine/steps.ts';
import type { Override } from '#shared/overrides.ts';
import type { Synonym } from '#shared/synonyms.ts';
import { compareIds } from '../id-order.ts';
import { OverrideIndex } from './override-index.ts';
import type { RuleChange } from './rule-change.ts';
import { nothingStored, Rules } from './rules.ts';
import { SynonymIndex } from './synonym-index.ts';

/** What a change comes to when everything is made anew. */
function changed<Rule extends { id: string }>(rules: Rule[], { put, remove }: RuleChange<Rule>): Rule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const id of remove) byId.delete(id);
  for (const rule of put) byId.set(rule.id, rule);
  return [...byId.values()].sort((a, b) => compareIds(a.id, b.id));
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ä');
const word = fc.constantFrom('red', 'Shoes', 'tv', 'the');
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const query = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const rulesOf = <Rule extends { id: string }>(rule: fc.Arbitrary<Rule>) =>
  fc
    .uniqueArray(rule, { maxLength: 6, selector: (each) => each.id })
    .map((rules) => rules.sort((a, b) => compareIds(a.id, b.id)));
const changeOf = <Rule>(rule: fc.Arbitrary<Rule>) =>
  fc.record({ put: fc.array(rule, { maxLength: 3 }), remove: fc.array(id, { maxLength: 3 }) });

const synonym: fc.Arbitrary<Synonym> = fc.record({
  id,
  synonyms: fc.array(phrase, { minLength: 2, maxLength: 4 }),
  root: fc.option(phrase),
});
const override: fc.Arbitrary<Override> = fc.record({
  id,
  rule: fc.record({ query: phrase, match: fc.constantFrom('exact' as const, 'contains' as const) }),
  active: fc.boolean(),
});

/** How often it pauses. */
function pausesOf(steps: Steps<unknown>): number {
  let count = 0;
  while (!steps.next().done) count += 1;
  return count;
}

describe('a change of rules, over those that there are', () => {
  it('acts as if all synonyms were read anew', () => {
    fc.assert(
      fc.property(rulesOf(synonym), changeOf(synonym), changeOf(synonym), query, (base, one, two, text) => {
        const over = runSteps(runSteps(runSteps(SynonymIndex.of(base)).with(one)).with(two));
        const anew = runSteps(SynonymIndex.of(changed(changed(base, one), two)));
        expect(over.widen(text)).toEqual(anew.widen(text));
      }),
      { numRuns: 300 },
    );
  });

  it('acts as if all overrides were read anew', () => {
    const now = new Date(0);
    fc.assert(
      fc.property(
        rulesOf(override),
        changeOf(override),
        changeOf(override),
        query,
        (base, one, two, text) => {
          const over = runSteps(runSteps(runSteps(OverrideIndex.of(base)).with(one)).with(two));
          const anew = runSteps(OverrideIndex.of(changed(changed(base, one), two)));
          expect(over.find(text, now)).toEqual(anew.find(text, now));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('costs what is changed, however many rules there are', () => {
    const synonyms = Array.from({ length: 400 }, (_, i) => {
      return { id: String(i), synonyms: [`word${i}`, `other${i}`], root: null };
    });
    const overrides = synonyms.map(
      ({ id }): Override => ({ id, rule: { query: `word${id}`, match: 'exact' }, active: true }),
    );
    const [first] = synonyms;
    if (!first) throw new Error('there are many');
    const all = { ...nothingStored, synonyms, overrides };
    expect(pausesOf(Rules.of(all))).toBeGreaterThan(50);
    const rules = runSteps(Rules.of(all));
    const draft = {
      synonyms: { put: [{ ...first, root: 'tv' }], remove: ['1'] },
      overrides: { put: [], remove: ['2'] },
    };
    expect(pausesOf(rules.with(draft))).toBe(0);
    const none = { put: [], remove: [] };
    const same = runSteps(rules.with({ settings: { num_typos: 0 }, synonyms: none, overrides: none }));
    expect(same.synonyms).toBe(rules.synonyms);
    expect(same.overrides).toBe(rules.overrides);
  });
});
