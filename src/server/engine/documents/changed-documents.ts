/** How a document comes into the parts of an index, and how it goes. Until all steps are done it is half there. */
import type { IndexParts } from '../query/search-parts.ts';
import type { Steps } from '../steps.ts';
import type { ParsedPut } from './checked-puts.ts';
import { parseJson } from './parse-json.ts';
import { type FieldText, fieldTexts } from './text-fields.ts';

/** In place of the one with its id. */
export function* putDocument(parts: IndexParts, { document, fields }: ParsedPut): Steps<void> {
  const former = yield* takeOut(parts, document.id);
  const { documents, lexical, vectors, columns } = parts;
  if (!documents.hasRoom) yield* documents.reserve();
  const ordinal = documents.add(document.id, document.source);
  const texts = yield* fieldTexts(fields);
  if (former === null) yield* lexical.add(ordinal, texts);
  else yield* lexical.replace(former, ordinal, texts);
  yield* vectors.add(ordinal, document.vectors, document.spans);
  yield* columns.add(ordinal, fields);
}

/** Nothing happens where there is none. */
export function* removeDocument(parts: IndexParts, id: string): Steps<void> {
  const former = yield* takeOut(parts, id);
  if (former !== null) yield* parts.lexical.forget(former.ordinal, former.texts);
}

/** All but its texts, which are answered; null: it is not there. */
function* takeOut(
  { documents, vectors, columns }: IndexParts,
  id: string,
): Steps<{ ordinal: number; texts: FieldText[] } | null> {
  const ordinal = documents.ordinalOf(id);
  if (ordinal === undefined) return null;
  const fields = (yield* parseJson(documents.sourceOf(ordinal))) as Record<string, unknown>;
  vectors.remove(ordinal);
  yield* columns.remove(ordinal);
  documents.remove(ordinal);
  return { ordinal, texts: yield* fieldTexts(fields) };
}
