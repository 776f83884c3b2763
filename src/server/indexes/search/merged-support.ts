import type { GivenSupport } from '#server/engine/merged-types.ts';
import { supportedMax, supportedScores, supportWeight } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import { compareIds } from '../id-order.ts';
import type { Member, MergedMembers } from './merged-members.ts';
import { picked } from './picked-candidates.ts';

/** A place in the one list. */
export interface Place {
  member: Member;
  /** Among the member's candidates. */
  at: number;
}

/** The part that the nearest make of a score: as in one collection, and where the collections' queries are not alike the least of all, so that scores compare. */
export function supportOfList(members: readonly Member[]): number {
  const weights = members.map(({ query, agreement: { reading } }) =>
    supportWeight(query, { words: reading?.words ?? [], totals: reading?.totals ?? null }),
  );
  return members.length === 0 ? 0 : Math.min(...weights);
}

/**
 * Lets the best of one list lift each other: their collections tell the vectors of these hits, 50 at most of all. Those of different models are not compared.
 * What has changed is in the members' agreements.
 */
export async function supportEachOther(
  members: MergedMembers,
  places: readonly Place[],
  weight: number,
): Promise<void> {
  const best = places.slice(0, supportedMax);
  const idOf = ({ member, at }: Place) => member.candidates.ids[at] ?? '';
  const ownOf = (member: Member) => best.filter((place) => place.member === member);
  const asked = members.all.filter((member) => ownOf(member).length > 0);
  const replies = await members.ask(
    (member) => ({ call: 'firstVectors', ids: ownOf(member).map(idOf) }),
    asked,
  );
  const vectorsOf = new Map(replies.map(({ member, reply }) => [member, rowsOf(member, reply.vectors)]));
  // One of a collection that has failed meanwhile is not in the list.
  const compared = best.filter(({ member }) => vectorsOf.has(member));
  const scores = runSteps(
    supportedScores(
      {
        scores: Float64Array.from(compared, ({ member, at }) => member.candidates.scores[at] ?? 0),
        vectors: compared.map(({ member }) => vectorsOf.get(member)?.next().value ?? new Float32Array(0)),
        models: compared.map(({ member }) => member.model),
      },
      weight,
    ),
  );
  for (const member of members.all) {
    const own = compared.flatMap((place, i) =>
      place.member === member ? [{ id: idOf(place), score: scores[i] ?? 0 }] : [],
    );
    const support: GivenSupport = {
      weight,
      ids: own.map(({ id }) => id),
      scores: Float64Array.from(own, ({ score }) => score),
    };
    member.agreement = { ...member.agreement, support };
  }
}

function rowsOf({ target }: Member, vectors: Float32Array): Iterator<Float32Array, undefined> {
  const { dimension } = target.collection;
  const rows = Array.from({ length: vectors.length / dimension }, (_, i) =>
    vectors.subarray(i * dimension, (i + 1) * dimension),
  );
  return rows.values();
}

/** Orders a member's candidates by the scores that it has agreed on, of which it has told the others. */
export function reorder(member: Member): void {
  const { candidates, agreement } = member;
  const { support } = agreement;
  if (support === null) return;
  const own = new Map(support.ids.map((id, i) => [id, support.scores[i] ?? 0]));
  const scores = candidates.scores.map(
    (score, at) => own.get(candidates.ids[at] ?? '') ?? (1 - support.weight) * score,
  );
  const idAt = (at: number) => candidates.ids[at] ?? '';
  // Equal ones by id, as in the collection itself.
  const order = Array.from(scores.keys()).sort(
    (a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || compareIds(idAt(a), idAt(b)),
  );
  member.candidates = { ...candidates, ...picked({ ...candidates, scores }, order) };
}
