import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import type { JsonValue, StoredDocument } from '#shared/documents.ts';

/** Where a text stands in a document. */
interface TextPlace {
  /** By which the index knows it: elements of a list share it. */
  path: string;
  /** Elements of a list are named by their place: `notes.0`. */
  field: string;
}

type Visit = (text: string, at: TextPlace) => void;

/** What it takes to look at a value, in the engine's units of work. */
const lookUnits = 16;

/** Every text of a document with its place, in the document's order. The top-level `id` and `embedding` are no fields. */
export function* walkTexts(document: StoredDocument, visit: Visit): Steps<void> {
  for (const name of Object.keys(document)) {
    if (name !== 'id' && name !== 'embedding')
      yield* walkValue(document[name], { path: name, field: name }, visit);
  }
}

function* walkValue(value: JsonValue | undefined, at: TextPlace, visit: Visit): Steps<void> {
  if (typeof value === 'string') visit(value, at);
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const members = value as Record<string | number, JsonValue>;
  // Without a list of a list's items: there may be a great many.
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (isPauseDue(lookUnits)) yield;
    const member = members[key];
    if (typeof member !== 'string' && (typeof member !== 'object' || member === null)) continue;
    const inner = { path: isList ? at.path : `${at.path}.${key}`, field: `${at.field}.${key}` };
    if (typeof member === 'string') visit(member, inner);
    else yield* walkValue(member, inner, visit);
  }
}
