import type { Embedder, Tier } from '#server/embeddings/embedder.ts';
import type { Standing } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import type { SearchMode } from '#shared/search.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { ExplainAnswer, Lost, ParameterValue } from '#shared/standing.ts';
import { SearchTimeoutError } from '../../host/call-errors.ts';
import type { CollectionHandle, ExplainSearch } from '../../indexes.ts';
import { notAtWork } from '../../models/not-at-work.ts';
import { embedderOf, type SharedEmbedder } from '../../models/query-embedder.ts';
import { type AppliedRules, applyRules, wantsUnderstanding } from '../../rules/apply-rules.ts';
import { asOfRules } from '../../rules/as-of-rules.ts';
import type { RuleBook } from '../../rules/rule-book.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Vocabularies } from '../../understand/vocabularies.ts';
import type { Vocabulary } from '../../understand/vocabulary.ts';
import type { Reader } from '../merged-members.ts';
import type { Page } from '../page-of.ts';
import { toSearchQuery } from '../query.ts';
import { effectiveRequest } from '../search-answer.ts';
import { vectorsOf } from '../vectors-of.ts';
import { barriersOf, candidateChanges } from './candidate-changes.ts';
import { toLost } from './lost.ts';
import { groupChange, pageChange, pageOfRank } from './page-change.ts';
import { shownExplanation } from './shown-explanation.ts';

interface ExplainerParts {
  registry: Reader;
  rules: Pick<RuleBook, 'of'>;
  vocabularies: Pick<Vocabularies, 'of'>;
  /** When an override acts. */
  clock: () => Date;
  embedder: SharedEmbedder<Pick<Embedder, 'embedQuery'>>;
  tierOf: (collectionId: number) => Tier | Promise<Tier>;
}

/** Searches that are tried to find out what would bring a document in, and changes that are made one upon the other. */
const triesMax = 24;
const changesMax = 4;

/**
 * Where a document stands in a search, and the smallest change that brings it in. Each change is tried before it is told: alone, and where none
 * suffices alone, one upon the other. The answer is of the collection as it is; a write between two tries may make it wrong.
 */
export async function explainDocument(
  { registry, rules: ruleBook, vocabularies, clock, embedder, tierOf }: ExplainerParts,
  collection: CollectionHandle,
  { id, mode, ...given }: ExplainSearch,
  signal?: AbortSignal,
): Promise<ExplainAnswer> {
  const rules = await ruleBook.of(collection);
  const parts = {
    rules,
    vocabulary: wantsUnderstanding(rules, given) ? await vocabularies.of(collection) : null,
    now: clock(),
    embedder: eachOnce(embedderOf(embedder, collection.for.tenant), signal),
    tierOf: () => tierOf(collection.id),
    vectorsOf: (like: string) => vectorsOf(registry, collection, { id: like, signal }),
  };
  // A cursor is of the search that it was given for, and of none that is changed.
  const anew: GivenParameters = given.cursor ? { cursor: '' } : {};
  let triesLeft = triesMax;
  const attempt = async (parameters: GivenParameters): Promise<Attempt> => {
    triesLeft -= 1;
    const asked = await toAsked(parts, collection, { mode, given: parameters });
    const { query, applied } = asked;
    const standing = await registry
      .read(collection, { call: 'standing', query, id }, signal)
      .catch((error: unknown) => {
        throw asOfRules(error, { rules: parts.rules, given: parameters, acting: applied.acting });
      });
    return { ...asked, standing };
  };
  /** All tries have one budget: where that is used up, what was found out before is told. */
  const endTries = (error: unknown): null => {
    if (!(error instanceof AppError && error.cause instanceof SearchTimeoutError)) throw error;
    triesLeft = 0;
    return null;
  };
  const first = await attempt(given);
  let reached: Attempt = first;
  const changes: GivenParameters = {};
  for (let i = 0; reached.standing.rank === null && i < changesMax; i += 1) {
    const found = await firstHelpful(reached, async (change) => {
      if (triesLeft <= 0) return null;
      return await attempt({ ...given, ...anew, ...changes, ...change }).catch(endTries);
    });
    if (found === null) break;
    Object.assign(changes, found.change);
    reached = found.attempt;
  }
  return answerOf(id, { first, reached, changes: reached === first ? {} : { ...anew, ...changes } });
}

interface Asked {
  applied: AppliedRules;
  query: SearchQuery;
  page: Page;
  withoutMeaning?: string;
}

interface Attempt extends Asked {
  standing: Standing;
}

async function toAsked(
  {
    rules,
    vocabulary,
    now,
    ...parts
  }: {
    rules: Rules;
    vocabulary: Vocabulary | null;
    now: Date;
    embedder: Pick<Embedder, 'embedQuery'>;
    tierOf: () => Tier | Promise<Tier>;
    vectorsOf: (id: string) => Promise<Float32Array>;
  },
  collection: CollectionHandle,
  { mode, given }: { mode: SearchMode; given: GivenParameters },
): Promise<Asked> {
  const own = wantsUnderstanding(rules, given) ? vocabulary : null;
  const applied = applyRules(rules, { mode, given, now, vocabulary: own });
  return { applied, ...(await toSearchQuery({ collection, ...parts }, mode, applied)) };
}

/** The first change that brings the document in; else the first that leaves it fewer losses. Null: none does. */
async function firstHelpful(
  { applied, query, standing }: Attempt,
  attempt: (change: GivenParameters) => Promise<Attempt | null>,
): Promise<{ change: GivenParameters; attempt: Attempt } | null> {
  const { parameters, acting } = applied;
  const tried = {
    parameters,
    query,
    hasOverride: acting.override !== null,
    isUnderstood: (acting.understood ?? []).length > 0,
  };
  let better: { change: GivenParameters; attempt: Attempt } | null = null;
  for (const change of candidateChanges(standing.losses, tried)) {
    const next = await attempt(change);
    if (next === null) break;
    if (next.standing.rank !== null) return { change, attempt: next };
    if (better === null && isBetter(next.standing, standing)) better = { change, attempt: next };
  }
  return better;
}

/** Fewer things keep the document from being looked at, or more sides look at it; or it is found, and only not relevant enough. */
function isBetter(next: Standing, before: Standing): boolean {
  const fewer = barriersOf(before.losses).length - barriersOf(next.losses).length;
  return fewer > 0 || (fewer === 0 && sidesIn(next) > sidesIn(before));
}

function sidesIn({ losses }: Standing): number {
  if (losses.some(({ step }) => step === 'relevance')) return 3;
  const sides = losses.find((loss) => loss.step === 'sides');
  return Number(sides?.words != null) + Number(sides?.vector != null);
}

interface Reached {
  first: Attempt;
  /** What was tried last. */
  reached: Attempt;
  /** What has led there. */
  changes: GivenParameters;
}

function answerOf(id: string, { first, reached, changes }: Reached): ExplainAnswer {
  const { standing, applied, query, page } = first;
  const { rank, group, hit, found, foundDocuments, outOf } = standing;
  const shown = showing(reached);
  const needed = isNone(shown) ? [] : Object.entries({ ...changes, ...shown.page, ...shown.group });
  const [lost = null, ...others] = lostIn(id, first, changes);
  return {
    id,
    rank,
    page: rank === null ? null : pageOfRank(rank, page),
    ...(group && { group: { group_key: group.key, found: group.found, rank: group.rank } }),
    found,
    ...(query.group && { found_docs: foundDocuments }),
    out_of: outOf,
    ...(hit && shownHit(hit)),
    lost,
    ...(others.length > 0 && { also_lost: others }),
    changes: needed.map(([parameter, value]) => ({ parameter, value: value as ParameterValue })),
    request: effectiveRequest(query, standing, { ...applied, withoutMeaning: first.withoutMeaning }),
  };
}

/** What shows a document that is found: of its page, and of its group. Null: nothing does. */
interface Showing {
  page: GivenParameters | null;
  group: GivenParameters | null;
}

function showing({ standing: { rank, group }, page, applied: { parameters } }: Attempt): Showing {
  if (rank === null) return { page: null, group: null };
  return { page: pageChange(rank, page, parameters), group: groupChange(group, parameters) };
}

const isNone = ({ page, group }: Showing): boolean => page === null || group === null;

function lostIn(id: string, first: Attempt, changes: GivenParameters): Lost[] {
  const { standing, applied } = first;
  const { rank, group, losses } = standing;
  const isOfRule = applied.query.excludeIds.includes(id);
  if (rank === null) return losses.map((loss) => toLost(loss, { changes, isOfRule, acting: applied.acting }));
  const { page, group: within } = showing(first);
  const lost: Lost[] = [];
  if (page === null || Object.keys(page).length > 0) {
    const where = page === null ? 'beyond the last hit that paging reaches' : 'on another page';
    lost.push({
      step: 'rank',
      message: `${group === null ? 'It' : 'Its group'} stands at ${rank}, which is ${where}`,
    });
  }
  if (group !== null && (within === null || Object.keys(within).length > 0))
    lost.push({
      step: 'group',
      message: `It stands at ${group.rank} in its group, of which ${applied.parameters.group_limit} are shown`,
    });
  return lost;
}

function shownHit({
  score,
  relevance,
  textMatch,
  vectorDistance,
  isPinned,
  passage,
  distancesMeters,
  explanation,
}: NonNullable<Standing['hit']>): Partial<ExplainAnswer> {
  return {
    score,
    ...(relevance !== undefined && { relevance }),
    ...(textMatch !== null && { text_match: textMatch }),
    ...(vectorDistance !== null && { vector_distance: vectorDistance }),
    ...(isPinned && { curated: true as const }),
    ...(passage && { passage }),
    ...(distancesMeters && { geo_distance_meters: distancesMeters }),
    ...(explanation && { explain: shownExplanation(explanation) }),
  };
}

/** Most tries have the same words. */
function eachOnce(
  embedder: Pick<Embedder, 'embedQuery'>,
  signal: AbortSignal | undefined,
): Pick<Embedder, 'embedQuery'> {
  const vectors = new Map<string, Promise<Float32Array>>();
  return {
    embedQuery(text, dimension, tier) {
      const vector =
        vectors.get(text) ?? notAtWork({ tier, signal }, () => embedder.embedQuery(text, dimension, tier));
      vectors.set(text, vector);
      return vector;
    },
  };
}
