import { isRecord } from '#client/lib/json.ts';
import { queryByName } from '#client/lib/query-by-name.ts';
import type { TrpcClient } from '#client/lib/trpc.ts';
import type { ReplayedOperation } from '#shared/request-kinds.ts';
import type { AnswerList, KeptHit } from '#shared/requests.ts';

/** Hits of an answer that are kept, and so compared. */
const comparedMax = 10;

/**
 * Sends a request again as whoever is signed in, by their own rights, and answers what was found now. It does not count among the searches of a
 * collection's analytics. @throws what the server answers
 */
export async function replayRequest(
  client: TrpcClient,
  { operation, input }: { operation: ReplayedOperation; input: unknown },
  signal: AbortSignal,
): Promise<AnswerList[]> {
  const again = { path: operation, input: uncounted(operation, input) };
  return answerLists(await queryByName(client, again, signal), operation);
}

function uncounted(operation: ReplayedOperation, input: unknown): unknown {
  if (!isRecord(input)) return input;
  if (operation === 'search.multi' && Array.isArray(input['searches']))
    return {
      ...input,
      searches: input['searches'].map((search: unknown) =>
        isRecord(search) ? { ...search, enable_analytics: false } : search,
      ),
    };
  const isSearch =
    operation === 'search.keyword' || operation === 'search.vector' || operation === 'search.hybrid';
  return isSearch ? { ...input, enable_analytics: false } : input;
}

/** As the server keeps them of the answer that there was. */
function answerLists(output: unknown, operation: ReplayedOperation): AnswerList[] {
  if (!isRecord(output)) return [];
  const { results, id } = output;
  if (operation === 'documents.get') return [{ found: 1, hits: [{ id: String(id), score: null }] }];
  if (operation === 'search.multi' && Array.isArray(results)) return results.map(listOf);
  return [listOf(output)];
}

function listOf(output: unknown): AnswerList {
  if (!isRecord(output)) return { found: null, hits: [] };
  const { found, hits, grouped_hits: groups, suggestions } = output;
  if (Array.isArray(suggestions))
    return {
      found: suggestions.length,
      hits: suggestions.slice(0, comparedMax).map((each) => ({ id: String(each?.query), score: null })),
    };
  if (typeof found !== 'number') return { found: null, hits: [] };
  const all: unknown[] = Array.isArray(hits)
    ? hits
    : Array.isArray(groups)
      ? groups.flatMap((group) => (isRecord(group) && Array.isArray(group['hits']) ? group['hits'] : []))
      : [];
  return { found, hits: all.slice(0, comparedMax).flatMap(headOf) };
}

function headOf(hit: unknown): KeptHit[] {
  if (!isRecord(hit) || typeof hit['id'] !== 'string') return [];
  return [{ id: hit['id'], score: typeof hit['score'] === 'number' ? hit['score'] : null }];
}
