import { compareIds } from '../id-order.ts';

/** A change of a collection's synonyms or overrides. What has the id of another takes its place. */
export interface RuleChange<Rule> {
  put: Rule[];
  remove: string[];
}

/** Those that are put, as they are asked: by their ids; of several with one id the last. */
export function inOrder<Rule extends { id: string }>(put: Rule[]): Rule[] {
  const byId = new Map(put.map((rule) => [rule.id, rule]));
  return [...byId.values()].sort((a, b) => compareIds(a.id, b.id));
}

export function changesSomething<Rule>(change: RuleChange<Rule> | undefined): change is RuleChange<Rule> {
  return change !== undefined && change.put.length + change.remove.length > 0;
}
