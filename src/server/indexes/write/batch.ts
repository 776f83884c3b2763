import { parseJson } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import { AppError, notFound } from '#server/errors.ts';
import { documentTag } from '#server/wire/document-tag.ts';
import { jsonTextInSteps } from '#server/wire/json-in-steps.ts';
import type { IfMatch, StoredDocument, WriteAction } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { contentHash, vectorHash } from '../passages/content-hash.ts';
import { type Embeddable, embeddableOf, wholeText } from '../passages/embeddable.ts';
import { knownPassages } from '../passages/known-passages.ts';
import { placedAnew } from '../passages/placed-anew.ts';
import type { StoredRow, StoredVectors } from '../registry/rows.ts';
import { checkStored, type ParsedDocument, parseInSteps } from './document.ts';
import { mergeDocuments } from './merge.ts';
import type { DocumentRow } from './statements.ts';
import { pendingModel, withoutVector } from './without-vector.ts';

/** What became of one document of a batch. Not its text: many rows may change one large document, each into another text. */
export type RowOutcome = { id: string; created: boolean } | { id: string; error: AppError };

/** A document on its way in; its vector is known, or its text still has to be embedded. */
interface Draft {
  document: StoredDocument;
  source: string;
  vector: Float32Array | null;
  text: Embeddable | null;
  /** The stored row whose vector stands, because what it depends on did not change. */
  kept: StoredVectors | null;
  /** Of all that its vector depends on, once somebody has asked for it. */
  hash?: Uint8Array;
}

/** What must be so of a stored document, or it is not changed. */
interface Condition {
  /** This version wrote it. */
  ifVersion?: number | undefined;
  ifMatch?: IfMatch | undefined;
}

/** The documents of one batch by id, and what each of the caller's rows came to. */
export class Batch {
  readonly collection: WritableCollection;
  readonly action: WriteAction;
  readonly drafts = new Map<string, Draft>();
  readonly #modelId: string;
  /** Of documents that were read: the version that each had, 0 where there was none. */
  readonly #versions = new Map<string, number>();
  readonly #rows: ({ id: string; error: AppError } | { id: string; isFirst: boolean })[] = [];

  constructor(collection: WritableCollection, modelId: string, action: WriteAction) {
    this.collection = collection;
    this.#modelId = modelId;
    this.action = action;
  }

  add(parsed: ParsedDocument): Steps<void> {
    return this.#try(parsed.document.id, this.#drafted(parsed));
  }

  addMerged(change: ParsedDocument, stored: Map<string, StoredRow>, condition: Condition = {}): Steps<void> {
    return this.#try(change.document.id, this.#merged(change, stored, condition));
  }

  /** In the place of what is as the condition says, and of nothing else. */
  addReplacing(next: ParsedDocument, stored: Map<string, StoredRow>, condition: Condition): Steps<void> {
    return this.#try(next.document.id, this.#replaced(next, stored, condition));
  }

  *#drafted({ document, embedding }: ParsedDocument): Steps<Draft> {
    if (this.action === 'create' && this.drafts.has(document.id)) throw taken(document.id);
    return yield* this.#draft(document, embedding, null);
  }

  *#merged(
    { document: change, embedding }: ParsedDocument,
    stored: Map<string, StoredRow>,
    condition: Condition,
  ): Steps<Draft> {
    const { id } = change;
    const earlier = this.drafts.get(id);
    const row = this.#read(id, stored);
    assertMet(condition, id, row);
    if (!earlier && !row && this.action === 'update') throw notFound(`Document "${id}"`);
    const base = earlier?.document ?? (row ? ((yield* parseJson(row.source)) as StoredDocument) : null);
    // Two documents within the limits can add up to one beyond them.
    const merged = base
      ? (yield* parseInSteps(this.collection, mergeDocuments(base, change))).document
      : change;
    return yield* this.#draft(merged, embedding ?? earlier?.vector ?? null, earlier ? earlier.kept : row);
  }

  *#replaced(next: ParsedDocument, stored: Map<string, StoredRow>, condition: Condition): Steps<Draft> {
    const { id } = next.document;
    const row = this.#read(id, stored);
    assertMet(condition, id, row);
    return yield* this.#draft(next.document, next.embedding, row);
  }

  #read(id: string, stored: Map<string, StoredRow>): StoredRow | null {
    const row = stored.get(id) ?? null;
    this.#versions.set(id, row?.version ?? 0);
    return row;
  }

  /** What it was built on, as `putDocuments` takes it. */
  documents(): { id: string; version: number | null }[] {
    return [...this.drafts.keys()].map((id) => ({ id, version: this.#versions.get(id) ?? null }));
  }

  /** What is wrong with one of its documents, if anything is. */
  get fault(): { id: string; error: AppError } | null {
    return this.#rows.find((row) => 'error' in row) ?? null;
  }

  /** What is still to be embedded. */
  contents(): { id: string; contentHash: Uint8Array }[] {
    const open = [...this.drafts.values()].filter(({ text }) => text !== null);
    return open.map((draft) => ({ id: draft.document.id, contentHash: this.#hashOf(draft) }));
  }

  keep(unchanged: Map<string, StoredVectors>): void {
    for (const [id, kept] of unchanged) {
      const draft = this.drafts.get(id);
      const placed = draft && placedAnew(kept, draft.text);
      if (placed) this.drafts.set(id, { ...draft, text: null, kept: placed });
    }
  }

  /** `later`: a service makes its vectors, when it can. */
  row(draft: Draft, embedded: Float32Array | 'later' | null): DocumentRow {
    const { document, source, vector, text, kept } = draft;
    const base = { id: document.id, source };
    if (kept) {
      const { contentHash: hash, modelId, vectors, spans } = kept;
      return { ...base, contentHash: hash, modelId, vectors, spans };
    }
    if (vector) {
      return {
        ...base,
        contentHash: vectorHash(vector),
        modelId: 'custom',
        vectors: vector,
        spans: wholeText(0),
      };
    }
    const contentHash = this.#hashOf(draft);
    if (text && embedded === 'later') return { ...base, contentHash, ...withoutVector(pendingModel) };
    const known =
      text && embedded instanceof Float32Array
        ? knownPassages({ vectors: embedded, spans: text.spans }, this.collection.dimension)
        : null;
    return { ...base, contentHash, ...(known ? { modelId: this.#modelId, ...known } : withoutVector(null)) };
  }

  outcomes(created: Set<string>, written: Set<string>): RowOutcome[] {
    return this.#rows.map((row) => {
      if ('error' in row) return row;
      if (!written.has(row.id)) return { id: row.id, error: taken(row.id) };
      return { id: row.id, created: row.isFirst && created.has(row.id) };
    });
  }

  *#try(id: string, draft: Steps<Draft>): Steps<void> {
    try {
      const made = yield* draft;
      const isFirst = !this.drafts.has(id);
      this.drafts.set(id, made);
      this.#rows.push({ id, isFirst });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#rows.push({ id, error });
    }
  }

  *#draft(document: StoredDocument, vector: Float32Array | null, stored: StoredVectors | null): Steps<Draft> {
    const source = yield* jsonTextInSteps(document);
    yield* checkStored(this.collection, document, source);
    if (vector) return { document, source, vector, text: null, kept: null };
    // A caller's own vector stands until another is sent.
    if (stored?.modelId === 'custom') return { document, source, vector: null, text: null, kept: stored };
    const text = yield* embeddableOf(this.collection, document);
    const isSame = stored !== null && Buffer.compare(this.#hash(text), stored.contentHash) === 0;
    const kept = isSame ? placedAnew(stored, text) : null;
    return { document, source, vector: null, text: kept === null ? text : null, kept };
  }

  #hashOf(draft: Draft): Uint8Array {
    draft.hash ??= this.#hash(draft.text);
    return draft.hash;
  }

  #hash(text: Embeddable | null): Uint8Array {
    return contentHash(this.#modelId, this.collection.dimension, text);
  }
}

/** @throws AppError CONFLICT (another version), PRECONDITION_FAILED (none of the tags) */
function assertMet({ ifVersion, ifMatch }: Condition, id: string, row: StoredRow | null): void {
  if (ifVersion !== undefined && row?.writtenVersion !== ifVersion)
    throw changedSince(id, row?.writtenVersion);
  if (ifMatch === undefined || (row && ifMatch === '*')) return;
  const tag = row && documentTag(row.source);
  if (tag && ifMatch.includes(tag)) return;
  const now = tag ? `its ETag is ${tag}` : 'there is none';
  throw new AppError(
    'PRECONDITION_FAILED',
    `The document "${id}" is not the one that If-Match names: ${now}`,
    {
      details: [{ path: 'if_match', message: `does not name the document: ${now}` }],
    },
  );
}

function changedSince(id: string, version: number | undefined): AppError {
  const now = version === undefined ? 'it is deleted' : `its version is ${version}`;
  return new AppError('CONFLICT', `The document "${id}" has been changed meanwhile: ${now}`, {
    details: [{ path: 'if_version', message: `is not the document's: ${now}` }],
  });
}

function taken(id: string): AppError {
  return new AppError('CONFLICT', `A document with the id "${id}" exists`);
}
