import type { Loss } from '#server/engine/search-index.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { Lost } from '#shared/standing.ts';
import type { AppliedRules } from '../../rules/apply-rules.ts';

interface Told {
  /** What has brought the document in. */
  changes: GivenParameters;
  /** Whether it is an override that leaves it out; else it is what the others are compared with. */
  isOfRule: boolean;
  acting: AppliedRules['acting'];
}

/** A loss in the contract's words. */
export function toLost(loss: Loss, { changes, isOfRule, acting }: Told): Lost {
  switch (loss.step) {
    case 'document':
      return { step: 'document', message: 'There is no document with this id' };
    case 'hidden':
      return isOfRule
        ? { step: 'rule', message: 'An override hides it' }
        : { step: 'neighbours', message: 'It is the one that the others are compared with' };
    case 'filter':
    case 'ruleFilter': {
      const clauses = loss.clauses.map(({ text, position }) => ({ clause: text, position }));
      return loss.step === 'filter'
        ? { step: 'filter', message: 'It does not pass the filter', clauses }
        : { step: 'rule', message: `It does not pass ${ruleOf(acting)}`, clauses };
    }
    case 'phrase':
      return { step: 'phrase', message: `It does not have the words "${loss.text}" in a row` };
    case 'exclusion':
      return { step: 'exclusion', message: `It holds "${loss.text}", which the query excludes` };
    case 'relevance':
      return {
        step: 'relevance',
        message: `It is found, and its relevance of ${loss.relevance.toPrecision(3)} is below min_relevance, ${loss.min}`,
      };
    case 'sides':
      return ofSides(loss, changes);
  }
}

/** Whose filter it is beside the search's own. */
function ruleOf({ override, understood = [] }: AppliedRules['acting']): string {
  if (understood.length === 0) return "the override's filter";
  const isBoth = override?.filter_by !== undefined;
  return `what was understood of the query${isBoth ? ", or the override's filter" : ''}`;
}

function ofSides({ words, vector }: Extract<Loss, { step: 'sides' }>, change: GivenParameters): Lost {
  const far = {
    ...(vector?.distance != null && { vector_distance: vector.distance }),
    ...(vector?.place != null && { nearest: vector.place }),
  };
  if (words === null) return { step: 'neighbours', message: messageOf(vector), ...far };
  const { step, message } = stepOfWords(change);
  return {
    step,
    message,
    words: words.missing.map(({ word, otherFields, near }) => ({
      word,
      ...(otherFields.length > 0 && { other_fields: otherFields }),
      ...(near && { near }),
    })),
    ...(words.leftOut.length > 0 && { left_out: words.leftOut }),
    ...far,
  };
}

function messageOf(vector: Extract<Loss, { step: 'sides' }>['vector']): string {
  if (vector === null || vector.distance === null)
    return 'It has no vector, or the query has none, so that they cannot be compared';
  return vector.isNearEnough
    ? 'It is not among the nearest'
    : 'It is farther than the distance threshold allows';
}

/** What has helped says what was wrong. */
function stepOfWords(change: GivenParameters): Pick<Lost, 'step' | 'message'> {
  if (change.num_typos !== undefined)
    return { step: 'typo_limit', message: 'It holds words that differ by more typos than are allowed' };
  if (change.stop_words !== undefined)
    return { step: 'dropped_word', message: 'It holds words of the query that are left out as stop words' };
  return { step: 'word', message: 'It does not hold enough of the words' };
}
