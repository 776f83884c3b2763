import { parseJson } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { EngineHit } from '#server/engine/types.ts';
import { JsonText, jsonInUtf8, objectInSteps } from '#server/wire/json-text.ts';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';
import type { AnswerBytes } from './answer-bytes.ts';

/** A document as it goes out: as the text that was stored, unless only some of its fields are shown. */
export type ShownDocument = StoredDocument | JsonText<StoredDocument>;

/** A page of documents: the text that the engine's thread has made of them. */
export type ShownDocuments = JsonText<StoredDocument[]>;

export interface ShownFields {
  include_fields?: string[] | undefined;
  exclude_fields?: string[] | undefined;
}

/** Of all parameters those that say what is shown. */
export function shownFields({ include_fields, exclude_fields }: ShownFields): ShownFields {
  return { include_fields, exclude_fields };
}

/** Whether documents go out as they were stored. */
export function areWhole({ include_fields, exclude_fields }: ShownFields): boolean {
  return !include_fields?.length && !exclude_fields?.length;
}

/** A larger document is read and written in steps. */
const atOnceBytesMax = 65_536;

/**
 * A stored document as the caller wants to see it: read only where fields are left out, and then held only as what is shown.
 * @throws AnswerTooLargeError
 */
export function* shownDocument(
  hit: Pick<EngineHit, 'source' | 'sourceBytes'>,
  shown: ShownFields,
  bytes: AnswerBytes,
): Steps<JsonText<StoredDocument>> {
  if (areWhole(shown)) {
    bytes.add(hit.sourceBytes);
    return new JsonText(hit.source);
  }
  const isLarge = hit.sourceBytes > atOnceBytesMax;
  const source = new JsonText<StoredDocument>(hit.source);
  const whole = isLarge ? ((yield* parseJson(source.decode())) as StoredDocument) : source.parse();
  const part = project(whole, shown.include_fields, shown.exclude_fields);
  const text = isLarge ? yield* objectInSteps(part) : jsonInUtf8(part);
  bytes.add(text.byteLength);
  return new JsonText(text);
}

/**
 * Which fields of a document are shown. A name is a top-level field or a path into nested objects; `id` is always shown. Without
 * `include` everything is, but what `exclude` names.
 */
export function project(
  document: StoredDocument,
  include: string[] | undefined,
  exclude: string[] | undefined,
): StoredDocument {
  let shown: JsonObject = document;
  if (include && include.length > 0 && !include.includes('*')) shown = pick(document, include);
  for (const path of exclude ?? []) shown = omit(shown, path);
  return { ...shown, id: document.id };
}

type JsonObject = { [key: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In the document's own order, whatever the order of the names. */
function pick(value: JsonObject, paths: string[], prefix = ''): JsonObject {
  const picked: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const path = prefix + key;
    if (paths.includes(path)) picked[key] = item;
    else if (isObject(item) && paths.some((other) => other.startsWith(`${path}.`))) {
      picked[key] = pick(item, paths, `${path}.`);
    }
  }
  return picked;
}

function omit(value: JsonObject, path: string): JsonObject {
  if (Object.hasOwn(value, path)) {
    const { [path]: _, ...rest } = value;
    return rest;
  }
  const dot = path.indexOf('.');
  const head = path.slice(0, dot);
  const inner = dot === -1 ? undefined : value[head];
  return isObject(inner) ? { ...value, [head]: omit(inner, path.slice(dot + 1)) } : value;
}
