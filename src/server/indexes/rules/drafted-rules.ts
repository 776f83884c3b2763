import type { RuleDraft } from '#shared/search-preview.ts';
import { compareIds } from '../id-order.ts';
import type { StoredRules } from './rules.ts';

/** The rules as they would be stored with a draft. */
export function draftedRules(stored: StoredRules, { settings, synonyms, overrides }: RuleDraft): StoredRules {
  return {
    ...stored,
    // Its language does not act: the index reads texts as it did.
    settings: settings ?? stored.settings,
    synonyms: changed(stored.synonyms, synonyms),
    overrides: changed(stored.overrides, overrides),
  };
}

interface Change<Rule> {
  put: Rule[];
  remove: string[];
}

/** In the order in which rules are asked, which is that of their ids. */
function changed<Rule extends { id: string }>(rules: Rule[], change: Change<Rule> | undefined): Rule[] {
  if (change === undefined) return rules;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const id of change.remove) byId.delete(id);
  for (const rule of change.put) byId.set(rule.id, rule);
  return [...byId.values()].sort((a, b) => compareIds(a.id, b.id));
}
