import { type Loss, parseVectorQuery, readSyntax } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { limits } from '#shared/limits.ts';
import type { GivenParameters, SearchParameters } from '#shared/search-parameters.ts';
import { ofScores } from '../../rules/relevance-for.ts';

/** A search as it was asked, and what became of it. */
export interface Tried {
  /** With those of the preset and the settings. */
  parameters: SearchParameters;
  query: SearchQuery;
  hasOverride: boolean;
  /** Parts of the query were read as conditions. */
  isUnderstood: boolean;
}

/** Changes that may bring a document in, the smallest first; each is of one parameter, or of those that say one thing together. */
export function candidateChanges(losses: Loss[], tried: Tried): GivenParameters[] {
  // As long as something keeps it from being looked at, what the sides are asked does not matter.
  const barriers = barriersOf(losses);
  const changes = (barriers.length > 0 ? barriers : losses)
    .flatMap((loss) => changesFor(loss, tried))
    .map((change) => withRelevance(change, tried.query));
  // Two losses may have one cause.
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

/** With other scores than the collection's own none can be asked for. */
function withRelevance(change: GivenParameters, { relevance }: SearchQuery): GivenParameters {
  const isOther = relevance?.min != null && ofScores.some((name) => change[name] !== undefined);
  return isOther ? { ...change, min_relevance: 0 } : change;
}

/** What keeps a document out whatever is searched. */
export function barriersOf(losses: Loss[]): Loss[] {
  return losses.filter(({ step }) => step !== 'sides' && step !== 'relevance');
}

const withoutOverrides: GivenParameters = { enable_overrides: false };

function changesFor(loss: Loss, tried: Tried): GivenParameters[] {
  switch (loss.step) {
    case 'document':
      return [];
    case 'hidden':
      return [withoutOverrides];
    case 'ruleFilter':
      return [
        ...(tried.isUnderstood ? [{ understand: false }] : []),
        ...(tried.hasOverride ? [withoutOverrides] : []),
      ];
    case 'filter':
      return [{ filter_by: loss.passed ?? '' }];
    case 'phrase':
    case 'exclusion':
      return [{ query: withoutDemand(tried.query.text, loss) }];
    case 'relevance':
      return [{ min_relevance: Math.floor(loss.relevance * 1e3) / 1e3 }, { min_relevance: 0 }];
    case 'sides':
      return changesOfSides(loss, tried);
  }
}

/** A phrase is its words then, and an exclusion nothing. */
function withoutDemand(
  query: string,
  { step, text }: Extract<Loss, { step: 'phrase' | 'exclusion' }>,
): string {
  const left = readSyntax(query).parts.flatMap((part) => {
    if (part.kind === step && part.text === text) return step === 'phrase' ? part.text : [];
    return part.kind === 'words' ? part.text.trim() : `${part.kind === 'exclusion' ? '-' : ''}"${part.text}"`;
  });
  return left.join(' ') || '*';
}

type Sides = Extract<Loss, { step: 'sides' }>;

function changesOfSides({ words, vector }: Sides, tried: Tried): GivenParameters[] {
  const { query, hasOverride } = tried;
  const isHybrid = query.mode === 'hybrid';
  return [
    ...(words === null ? [] : changesOfWords(words, tried)),
    ...(vector === null ? [] : changesOfVector(vector, tried)),
    // One side alone decides at the ends.
    ...(isHybrid && (query.alpha === 0 || query.alpha === 1) ? [{ alpha: 0.5 }] : []),
    ...(hasOverride ? [withoutOverrides] : []),
    ...(query.mode === 'vector' ? [] : [{ query: '*' }]),
  ];
}

function changesOfWords(
  { missing, leftOut }: NonNullable<Sides['words']>,
  { parameters, query }: Tried,
): GivenParameters[] {
  const changes: GivenParameters[] = [];
  // A typo may also let another word be read otherwise, so that fewer are wanted.
  for (let typos = query.typosMax + 1; missing.length > 0 && typos <= 2; typos += 1)
    changes.push({ num_typos: typos });
  if (missing.length > 0 && !query.prefix) changes.push({ prefix: true });
  if (!parameters.enable_synonyms) changes.push({ enable_synonyms: true });
  if (leftOut.length > 0) changes.push({ stop_words: 'none' });
  const others = [...new Set(missing.flatMap(({ otherFields }) => otherFields))];
  for (const wanted of [...others.map((field) => [field]), others])
    if (wanted.length > 0) changes.push(withFields(query, wanted, parameters));
  if (query.match !== 'any') changes.push({ match: 'any' });
  return changes;
}

/** A weight for each field where there were weights before. */
function withFields(
  { fields }: SearchQuery,
  wanted: string[],
  { query_by_weights: weights }: SearchParameters,
): GivenParameters {
  const searched = fields?.filter(({ name }) => !wanted.includes(name)) ?? [];
  const names = [...searched.map(({ name }) => name), ...wanted];
  if (weights === undefined) return { query_by: names };
  return {
    query_by: names,
    query_by_weights: [...searched.map(({ weight }) => weight), ...wanted.map(() => 1)],
  };
}

function changesOfVector(
  { distance, place, isNearEnough }: NonNullable<Sides['vector']>,
  { parameters, query }: Tried,
): GivenParameters[] {
  if (distance === null || place === null || place > limits.neighboursMax) return [];
  const k = place > query.k ? place : null;
  const { vector_query: given } = parameters;
  if (given === undefined && isNearEnough) return k === null ? [] : [{ k }];
  // What the vector query says counts more than `k`, and only there is a threshold.
  const own = vectorOf(given, query);
  const threshold = isNearEnough ? query.distanceThreshold : distance;
  return [
    {
      vector_query: {
        ...own,
        k: k ?? query.k,
        ...(threshold !== null && { distance_threshold: threshold }),
      },
    },
  ];
}

/** The caller's vector, or the document whose vectors are compared; neither: the words are embedded. */
function vectorOf(
  given: SearchParameters['vector_query'],
  { vector }: SearchQuery,
): { vector?: number[]; id?: string } {
  const { query } =
    typeof given === 'string' ? parseVectorQuery(given, limits.dimensionMax) : { query: given ?? null };
  if (query !== null && 'id' in query && query.id !== undefined) return { id: query.id };
  const isOwn = Array.isArray(query) || (query?.vector != null && query.vector.length > 0);
  return isOwn && vector !== null ? { vector: Array.from(vector) } : {};
}
