import { randomBytes } from 'node:crypto';
import { isPauseDue, runSteps, type Steps } from '#server/engine/steps.ts';
import { AppError, badRequest } from '#server/errors.ts';
import { weightOf } from '#server/wire/weight-of.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle, WritableCollection } from '../indexes.ts';
import { checkDeclaredFields } from './declared-fields.ts';

/** What a caller's document becomes before anything is stored. */
export interface ParsedDocument {
  /** `id` included, `embedding` left out. */
  document: StoredDocument;
  /** The caller's own vector; null: none was sent. */
  embedding: Float32Array | null;
}

/** Any JSON value; the strict JSON reader made it, or tRPC did, which looks at nothing. */
type Fields = Record<string, unknown>;

/**
 * Takes a caller's document apart and checks what does not depend on other documents. Declared fields are checked separately, on the
 * merged document.
 * @throws AppError BAD_REQUEST naming the path; UNPROCESSABLE above 1,000 fields
 */
export function parseDocument(collection: CollectionHandle, value: unknown): ParsedDocument {
  return runSteps(parseInSteps(collection, value));
}

/** The same with pauses. @throws AppError as `parseDocument` */
export function* parseInSteps(
  collection: CollectionHandle,
  value: unknown,
  makeId: () => string = generateId,
): Steps<ParsedDocument> {
  if (!isFields(value)) throw badRequest('document', 'must be a JSON object');
  // Counted before anything is copied: a hundred thousand fields are refused as cheaply as can be.
  yield* checkFields(value);
  const { embedding, ...fields } = value;
  const id = fields['id'] === undefined || fields['id'] === null ? makeId() : parseId(fields['id']);
  return {
    document: toStored(fields, id),
    embedding: embedding === undefined || embedding === null ? null : parseEmbedding(collection, embedding),
  };
}

/** What is merged into many documents, whose ids stay. @throws AppError as `parseDocument` */
export function parseChange(collection: CollectionHandle, change: Record<string, unknown>): ParsedDocument {
  if ('id' in change) throw badRequest('id', 'cannot be changed');
  return parseDocument(collection, change);
}

/** Checks a document that is about to be stored. @throws AppError BAD_REQUEST */
export function* checkStored(
  collection: WritableCollection,
  document: StoredDocument,
  source: string,
): Steps<void> {
  yield* checkDeclaredFields(collection.metadata?.fields ?? [], document);
  if (Buffer.byteLength(source) > limits.documentBytesMax) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `A document has at most ${limits.documentBytesMax} bytes of JSON`,
    );
  }
}

/** @throws AppError BAD_REQUEST */
export function parseId(value: unknown): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    throw badRequest(
      'id',
      Number.isInteger(value) ? 'is beyond 2^53: send it as a string' : 'must be a string or a whole number',
    );
  }
  if (typeof value !== 'string') throw badRequest('id', 'must be a string or a whole number');
  if (value === '') throw badRequest('id', 'must not be empty');
  checkString(value, ['id']);
  if (Buffer.byteLength(value) > limits.documentIdBytesMax) {
    throw badRequest('id', `must be at most ${limits.documentIdBytesMax} bytes`);
  }
  return value;
}

/** 26 characters: milliseconds, then 80 random bits, both in base 32, so that ids sort by their time. */
export function generateId(now: number = Date.now(), bits: Buffer = randomBytes(10)): string {
  const time = now.toString(32).padStart(10, '0');
  const rest = BigInt(`0x${bits.toString('hex')}`)
    .toString(32)
    .padStart(16, '0');
  return time + rest;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toStored(fields: Fields, id: string): StoredDocument {
  // The check above has seen every value, so these are JSON values. The id keeps its place, or comes first.
  const { id: given, ...others } = fields as StoredDocument;
  return given === undefined ? { id, ...others } : { ...(fields as StoredDocument), id };
}

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** The way to a value: one list for the whole document, so that a path is put together only where something is at fault. */
type Way = (string | number)[];

/** Of objects in lists. */
const uncounted = { fields: Number.NEGATIVE_INFINITY };

/** What is checked without a look at the clock, in units of `weightOf`. */
const checkedAtOnce = 16_384;

/** @throws AppError BAD_REQUEST naming the path; UNPROCESSABLE above 1,000 fields */
function* checkFields(document: Fields): Steps<void> {
  const seen = { fields: 0 };
  for (const key of Object.keys(document)) {
    if (key === 'embedding') continue;
    checkName([key]);
    yield* checkInSteps(document[key], [key], seen);
  }
}

/** As `checkValues`: what is large is entered, what is small is checked at once. */
function* checkInSteps(value: unknown, way: Way, seen: { fields: number }): Steps<void> {
  const weight = weightOf(value, checkedAtOnce);
  if (weight <= checkedAtOnce || typeof value !== 'object' || value === null) {
    checkValues(value, way, seen);
    if (isPauseDue(weight)) yield;
    return;
  }
  checkDepth(way);
  const isList = Array.isArray(value);
  const within = isList ? uncounted : seen;
  const members = value as Fields;
  for (const key of isList ? value.keys() : Object.keys(value)) {
    way.push(key);
    if (!isList) checkName(way);
    yield* checkInSteps(members[key], way, within);
    way.pop();
  }
  if (isList) countField(seen);
}

/** Every value once: what JSON, UTF-8 and Postgres cannot hold is refused with its path. Counts the fields that hold no others. */
function checkValues(value: unknown, way: Way, seen: { fields: number }): void {
  if (isFields(value)) {
    checkDepth(way);
    const keys = Object.keys(value);
    for (const key of keys) {
      way.push(key);
      checkName(way);
      checkValues(value[key], way, seen);
      way.pop();
    }
    if (keys.length > 0) return;
  } else checkItem(value, way);
  countField(seen);
}

function countField(seen: { fields: number }): void {
  seen.fields += 1;
  if (seen.fields > limits.documentFieldsMax)
    throw new AppError(
      'UNPROCESSABLE',
      `A document has at most ${limits.documentFieldsMax} fields; this has more`,
    );
}

/** The last step of the way. */
function checkName(way: Way): void {
  const key = String(way.at(-1));
  if (forbiddenKeys.has(key)) throw badRequest(pathOf(way), 'is not allowed as a field name');
  checkString(key, way);
}

/** Of a field that holds no others, or of a list, whose objects are no fields. */
function checkItem(value: unknown, way: Way): void {
  if (typeof value === 'string') checkString(value, way);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw badRequest(pathOf(way), 'must be a finite number');
  } else if (Array.isArray(value)) {
    checkDepth(way);
    for (let i = 0; i < value.length; i += 1) {
      way.push(i);
      checkItem(value[i], way);
      way.pop();
    }
  } else if (isFields(value)) checkValues(value, way, uncounted);
  else if (value !== null && typeof value !== 'boolean')
    throw badRequest(pathOf(way), 'must be a JSON value');
}

function checkDepth(way: Way): void {
  if (way.length >= limits.jsonDepthMax) {
    throw badRequest(pathOf(way), `is nested deeper than ${limits.jsonDepthMax} levels`);
  }
}

function checkString(value: string, way: Way): void {
  if (value.includes('\u0000')) throw badRequest(pathOf(way), 'must not contain U+0000');
  if (!value.isWellFormed()) throw badRequest(pathOf(way), 'contains half of a surrogate pair');
}

/** As it can be printed. */
function pathOf(way: Way): string {
  return way.join('.').replaceAll('\u0000', '\\u0000').toWellFormed();
}

function parseEmbedding({ dimension, metric }: CollectionHandle, value: unknown): Float32Array {
  if (!Array.isArray(value)) throw badRequest('embedding', `must be an array of ${dimension} numbers`);
  if (value.length !== dimension) {
    throw badRequest('embedding', `must have ${dimension} numbers, one a dimension; it has ${value.length}`);
  }
  const vector = new Float32Array(dimension);
  for (const [i, component] of value.entries()) {
    if (typeof component !== 'number' || !Number.isFinite(Math.fround(component))) {
      throw badRequest(`embedding.${i}`, 'must be a finite number');
    }
    vector[i] = component;
  }
  checkLength(vector, metric, 'embedding');
  return vector;
}

/** Distances are computed in single precision, so the squared length must fit; a direction needs a length. @throws AppError BAD_REQUEST */
export function checkLength(vector: Float32Array, metric: CollectionHandle['metric'], path: string): void {
  const squared = vector.reduce((sum, x) => sum + x * x, 0);
  if (squared > 1e37) throw badRequest(path, 'is too long: its squared length must stay below 10^37');
  if (squared === 0 && metric === 'cosine') {
    throw badRequest(path, 'must not be all zeros: with the metric "cosine" it needs a direction');
  }
}
