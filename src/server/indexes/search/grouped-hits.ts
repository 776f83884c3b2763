import type { EngineGroup } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { EngineHit } from '#server/engine/types.ts';
import { type JsonText, jsonInSteps } from '#server/wire/json-text.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { HitGroup } from '#shared/search.ts';
import { AnswerBytes } from './answer-bytes.ts';
import type { HeadedText } from './headed-text.ts';
import { eachInSteps, fitting, searchHit } from './search-hit.ts';
import type { ShownFields } from './shown-document.ts';

/** The groups of a page as they go out: the text that the engine's thread has made of them. */
export type ShownGroups = HeadedText<HitGroup[]>;

/** The groups' JSON text in UTF-8; their hits come one group behind the other. @throws AnswerTooLargeError */
export function* groupsText(
  { hits, groups }: { hits: EngineHit[]; groups: EngineGroup[] },
  shown: ShownFields,
  bytesMax: number,
): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new AnswerBytes(bytesMax);
  const shownHits = yield* eachInSteps(hits, shown, (hit) => searchHit(hit, shown, bytes));
  let end = 0;
  const shownGroups = groups.map(({ key, found, hits: count }): HitGroup<JsonText<StoredDocument>> => {
    end += count;
    return { group_key: key, found, hits: shownHits.slice(end - count, end) };
  });
  return fitting(yield* jsonInSteps(shownGroups), bytesMax);
}
