import { parseJson } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { EngineHit } from '#server/engine/types.ts';
import { JsonText, jsonInUtf8, valueInSteps } from '#server/wire/json-text.ts';
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
  const text = isLarge ? yield* valueInSteps(part) : jsonInUtf8(part);
  bytes.add(text.byteLength);
  return new JsonText(text);
}

/**
 * Which fields of a document are shown. A name is a top-level field or a path into nested objects; `id` is always shown. Without
 * `include` everything is, but what `exclude` names. Costs the names and the members of the objects that they lead into.
 */
export function project(
  document: StoredDocument,
  include: string[] | undefined,
  exclude: string[] | undefined,
): StoredDocument {
  let shown: JsonObject = document;
  if (include && include.length > 0 && !include.includes('*')) shown = pick(document, new PathSet(include));
  if (exclude) shown = omit(shown, exclude);
  return { ...shown, id: document.id };
}

type JsonObject = { [key: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

class PathSet {
  readonly #whole: ReadonlySet<string>;
  /** What a path holds up to one of its dots. */
  readonly #begun = new Set<string>();

  constructor(paths: string[]) {
    this.#whole = new Set(paths);
    for (const path of this.#whole) {
      for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
        this.#begun.add(path.slice(0, dot));
    }
  }

  has(path: string): boolean {
    return this.#whole.has(path);
  }

  /** Whether a path goes on below this one. */
  goesInto(path: string): boolean {
    return this.#begun.has(path);
  }
}

/** In the document's own order, whatever the order of the names. */
function pick(value: JsonObject, paths: PathSet, prefix = ''): JsonObject {
  const picked: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const path = prefix + key;
    if (paths.has(path)) picked[key] = item;
    else if (isObject(item) && paths.goesInto(path)) picked[key] = pick(item, paths, `${path}.`);
  }
  return picked;
}

/** A key that is a whole path goes; else the path leads into the object at its first name. */
function omit(value: JsonObject, paths: Iterable<string>): JsonObject {
  const gone = new Set<string>();
  const below = new Map<string, string[]>();
  for (const path of paths) {
    if (Object.hasOwn(value, path)) {
      gone.add(path);
      continue;
    }
    const dot = path.indexOf('.');
    if (dot < 0) continue;
    const head = path.slice(0, dot);
    const inner = below.get(head);
    if (inner === undefined) below.set(head, [path.slice(dot + 1)]);
    else inner.push(path.slice(dot + 1));
  }
  if (gone.size + below.size === 0) return value;
  const left: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (gone.has(key)) continue;
    const inner = below.get(key);
    left[key] = inner && isObject(item) ? omit(item, inner) : item;
  }
  return left;
}
