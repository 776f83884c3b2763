import type { Embedder } from '#server/embeddings/embedder.ts';
import type { Standing } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { SearchMode } from '#shared/search.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { ExplainAnswer, Lost, ParameterValue } from '#shared/standing.ts';
import type { CollectionHandle, ExplainSearch } from '../../indexes.ts';
import { type AppliedRules, applyRules } from '../../rules/apply-rules.ts';
import type { RuleBook } from '../../rules/rule-book.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Reader } from '../merged-members.ts';
import type { Page } from '../page-of.ts';
import { toSearchQuery } from '../query.ts';
import { effectiveRequest } from '../search-answer.ts';
import { vectorsOf } from '../vectors-of.ts';
import { barriersOf, candidateChanges } from './candidate-changes.ts';
import { toLost } from './lost.ts';
import { pageChange, pageOfRank } from './page-change.ts';
import { shownExplanation } from './shown-explanation.ts';

interface ExplainerParts {
  registry: Reader;
  rules: Pick<RuleBook, 'of'>;
  /** When an override acts. */
  clock: () => Date;
  embedder: Pick<Embedder, 'embedQuery'>;
}

/** Searches that are tried to find out what would bring a document in, and changes that are made one upon the other. */
const triesMax = 24;
const changesMax = 4;

/**
 * Where a document stands in a search, and the smallest change that brings it in. Each change is tried before it is told: alone, and where none
 * suffices alone, one upon the other. The answer is of the collection as it is; a write between two tries may make it wrong.
 */
export async function explainDocument(
  { registry, rules, clock, embedder }: ExplainerParts,
  collection: CollectionHandle,
  { id, mode, ...given }: ExplainSearch,
  signal?: AbortSignal,
): Promise<ExplainAnswer> {
  const parts = {
    rules: await rules.of(collection),
    now: clock(),
    embedder: eachOnce(embedder),
    vectorsOf: (like: string) => vectorsOf(registry, collection, { id: like, signal }),
  };
  let triesLeft = triesMax;
  const attempt = async (parameters: GivenParameters): Promise<Attempt> => {
    triesLeft -= 1;
    const asked = await toAsked(parts, collection, { mode, given: parameters });
    const { query } = asked;
    return { ...asked, standing: await registry.read(collection, { call: 'standing', query, id }, signal) };
  };
  const first = await attempt(given);
  let reached: Attempt = first;
  const changes: GivenParameters = {};
  for (let i = 0; reached.standing.rank === null && i < changesMax; i += 1) {
    const found = await firstHelpful(reached, (change) =>
      triesLeft > 0 ? attempt({ ...given, ...changes, ...change }) : Promise.resolve(null),
    );
    if (found === null) break;
    Object.assign(changes, found.change);
    reached = found.attempt;
  }
  return answerOf(id, { first, reached, changes });
}

interface Asked {
  applied: AppliedRules;
  query: SearchQuery;
  page: Page;
}

interface Attempt extends Asked {
  standing: Standing;
}

async function toAsked(
  {
    rules,
    now,
    ...parts
  }: {
    rules: Rules;
    now: Date;
    embedder: Pick<Embedder, 'embedQuery'>;
    vectorsOf: (id: string) => Promise<Float32Array>;
  },
  collection: CollectionHandle,
  { mode, given }: { mode: SearchMode; given: GivenParameters },
): Promise<Asked> {
  const applied = applyRules(rules, { mode, given, now });
  return { applied, ...(await toSearchQuery({ collection, ...parts }, mode, applied)) };
}

/** The first change that brings the document in; else the first that leaves it fewer losses. Null: none does. */
async function firstHelpful(
  { applied, query, standing }: Attempt,
  attempt: (change: GivenParameters) => Promise<Attempt | null>,
): Promise<{ change: GivenParameters; attempt: Attempt } | null> {
  const { parameters, acting } = applied;
  const tried = { parameters, query, hasOverride: acting.override !== null };
  let better: { change: GivenParameters; attempt: Attempt } | null = null;
  for (const change of candidateChanges(standing.losses, tried)) {
    const next = await attempt(change);
    if (next === null) break;
    if (next.standing.rank !== null) return { change, attempt: next };
    if (better === null && isBetter(next.standing, standing)) better = { change, attempt: next };
  }
  return better;
}

/** Fewer things keep the document from being looked at, or more sides look at it. */
function isBetter(next: Standing, before: Standing): boolean {
  const fewer = barriersOf(before.losses).length - barriersOf(next.losses).length;
  return fewer > 0 || (fewer === 0 && sidesIn(next) > sidesIn(before));
}

function sidesIn({ losses }: Standing): number {
  const sides = losses.find((loss) => loss.step === 'sides');
  return Number(sides?.words != null) + Number(sides?.vector != null);
}

function answerOf(
  id: string,
  { first, reached, changes }: { first: Attempt; reached: Attempt; changes: GivenParameters },
): ExplainAnswer {
  const { standing, applied, query, page } = first;
  const { rank, hit, found, outOf } = standing;
  const turned =
    reached.standing.rank === null
      ? null
      : pageChange(reached.standing.rank, reached.page, reached.applied.parameters);
  const isReached = turned !== null;
  const needed = isReached ? Object.entries({ ...changes, ...turned }) : [];
  const [lost = null, ...others] = lostIn(first, { changes, turned });
  return {
    id,
    rank,
    page: rank === null ? null : pageOfRank(rank, page),
    found,
    out_of: outOf,
    ...(hit && shownHit(hit)),
    lost,
    ...(others.length > 0 && { also_lost: others }),
    changes: needed.map(([parameter, value]) => ({ parameter, value: value as ParameterValue })),
    request: effectiveRequest(query, standing, applied),
  };
}

function lostIn(
  { standing }: Attempt,
  { changes, turned }: { changes: GivenParameters; turned: GivenParameters | null },
): Lost[] {
  const { rank, losses } = standing;
  if (rank === null) return losses.map((loss) => toLost(loss, changes));
  if (turned !== null && Object.keys(turned).length === 0) return [];
  const message = `It stands at ${rank}, which is ${turned === null ? 'beyond the last hit that paging reaches' : 'on another page'}`;
  return [{ step: 'rank', message }];
}

function shownHit({
  score,
  textMatch,
  vectorDistance,
  isPinned,
  passage,
  distancesMeters,
  explanation,
}: NonNullable<Standing['hit']>): Partial<ExplainAnswer> {
  return {
    score,
    ...(textMatch !== null && { text_match: textMatch }),
    ...(vectorDistance !== null && { vector_distance: vectorDistance }),
    ...(isPinned && { curated: true as const }),
    ...(passage && { passage }),
    ...(distancesMeters && { geo_distance_meters: distancesMeters }),
    ...(explanation && { explain: shownExplanation(explanation) }),
  };
}

/** Most tries have the same words. */
function eachOnce(embedder: Pick<Embedder, 'embedQuery'>): Pick<Embedder, 'embedQuery'> {
  const vectors = new Map<string, Promise<Float32Array>>();
  return {
    embedQuery(text, dimension) {
      const vector = vectors.get(text) ?? embedder.embedQuery(text, dimension);
      vectors.set(text, vector);
      return vector;
    },
  };
}
