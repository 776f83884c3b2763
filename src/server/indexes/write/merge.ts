import type { JsonValue, StoredDocument } from '#shared/documents.ts';

/**
 * Merging a change into a document: objects merge at every depth, arrays and everything else are replaced, null included. Keys were
 * checked before, so none reaches a prototype; depth is bounded by the same check.
 */
export function mergeDocuments(stored: StoredDocument, change: StoredDocument): StoredDocument {
  return { ...mergeObjects(stored, change), id: stored.id };
}

type JsonObject = { [key: string]: JsonValue };

function mergeObjects(stored: JsonObject, change: JsonObject): JsonObject {
  const merged = { ...stored };
  for (const [key, value] of Object.entries(change)) {
    const old = merged[key];
    merged[key] = isObject(old) && isObject(value) ? mergeObjects(old, value) : value;
  }
  return merged;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
