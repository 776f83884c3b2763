import { isSecretName, redactText } from '#server/log.ts';
import { limits } from '#shared/limits.ts';
import { isReplayed, type ReplayState } from '#shared/request-kinds.ts';

/** Collections by the name or id that a request has called them by. */
export type NamedCollections = ReadonlyMap<string, { id: number; name: string }>;

interface KeptInput {
  /** As JSON; null: nothing is kept. */
  input: string | null;
  replay: ReplayState;
}

/**
 * What of an input is kept. Of what can be sent again all of it, its collections by their ids, so that it means the same to whoever sends it; of
 * anything else what it was about, never the documents, questions or secrets in it.
 */
export function keptInput(
  { operation, isQuery, isByKey }: { operation: string; isQuery: boolean; isByKey: boolean },
  input: unknown,
  collections: NamedCollections,
): KeptInput {
  if (!isReplayed(operation))
    return { input: jsonOf(outline(input, tellingOf(operation))), replay: isQuery ? 'other' : 'write' };
  if (!isShort(input)) return { input: null, replay: 'too_long' };
  const named = byId(input, collections);
  const text = JSON.stringify(named);
  if (text === undefined) return { input: null, replay: 'other' };
  if (text.length > limits.keptInputCharactersMax) return { input: null, replay: 'too_long' };
  // A key in the address, as other products take it, is refused, and may be of any shape.
  const isSecretNamed = isObject(named) && Object.keys(named).some(isSecretName);
  if (isSecretNamed || redactText(text) !== text) return { input: withoutSecrets(named), replay: 'secret' };
  return { input: text, replay: isByKey && namesAll(input) ? 'scope' : 'yes' };
}

/** What it was about, in short: what was searched for, or the id or name of a thing. Of a conversation nothing, which is its owner's own. */
export function wordsOf(operation: string, input: unknown): string | null {
  if (isOwners(operation) || !isObject(input)) return null;
  const { searches, document } = input;
  const items: unknown[] = Array.isArray(searches) ? searches : [input];
  const [first] = items.flatMap((item) => textOf(item) ?? []);
  const text = first ?? (isObject(document) ? textOf({ id: document['id'] }) : null);
  if (text === null || text === undefined) return null;
  const more = items.length > 1 ? ` +${items.length - 1}` : '';
  return `${cut(text, limits.keptWordsCharactersMax - more.length)}${more}`;
}

const wordsNames = ['query', 'q', 'id', 'filter_by', 'name', 'preset', 'sample'];

function textOf(item: unknown): string | null {
  if (!isObject(item)) return null;
  for (const name of wordsNames) {
    const value = item[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** As Postgres takes a text, without what looks like a secret. */
export function cut(whole: string, charactersMax: number): string {
  const begun = whole.slice(0, charactersMax + 100);
  const text = redactText(begun).replaceAll('\u0000', '\uFFFD');
  const kept = text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;
  return kept.toWellFormed();
}

/** Fields that say what a request is about and hold nothing of a document. */
const tellingFields = new Set([
  ...wordsNames,
  'collection',
  'action',
  'page',
  'per_page',
  'limit',
  'model',
  'mode',
  'dimension',
  'metric',
  'dry_run',
  'type',
  'position',
]);
const outlinedFieldsMax = 50;
const outlinedCharactersMax = 200;

/** A conversation is its owner's alone, also by what it is called: that is what was asked first. */
function isOwners(operation: string): boolean {
  return /^(chat|conversations)\./.test(operation);
}

const tellingOfConversation = new Set(['id', 'collection', 'page', 'per_page', 'limit', 'model']);

function tellingOf(operation: string): ReadonlySet<string> {
  return isOwners(operation) ? tellingOfConversation : tellingFields;
}

/** Names of fields, and the values of those that say what it is about. */
function outline(input: unknown, telling: ReadonlySet<string>): unknown {
  if (!isObject(input)) return null;
  const fields = Object.entries(input).slice(0, outlinedFieldsMax);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const told = outlined(value, telling.has(name));
      return told === undefined ? [] : [[cutName(name), told]];
    }),
  );
}

/** Undefined: nothing. */
function outlined(value: unknown, isTold: boolean): unknown {
  if (typeof value === 'string') return isTold ? cut(value, outlinedCharactersMax) : '…';
  if (typeof value === 'number' || typeof value === 'boolean') return isTold ? value : '…';
  if (Array.isArray(value)) return `${value.length} items`;
  return isObject(value) ? Object.keys(value).slice(0, outlinedFieldsMax).map(cutName) : undefined;
}

function cutName(name: string): string {
  return cut(name, outlinedCharactersMax);
}

function jsonOf(value: unknown): string | null {
  const text = value === null ? null : JSON.stringify(value);
  return text === null || text.length > limits.keptInputCharactersMax ? null : text;
}

/** Text by text and name by name: what looks like a secret in the JSON may begin in one and end in another. */
function withoutSecrets(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'string') return redactText(each);
    if (!isObject(each) || Array.isArray(each)) return each;
    const fields = Object.entries(each);
    return Object.fromEntries(
      fields.map(([name, own]) => [redactText(name), isSecretName(name) ? '[redacted]' : own]),
    );
  });
}

function byId(input: unknown, collections: NamedCollections): unknown {
  if (!isObject(input)) return input;
  const { collection, collections: several, searches } = input;
  return {
    ...input,
    ...(collection !== undefined && { collection: idOf(collection, collections) }),
    ...(Array.isArray(several) && { collections: several.map((each) => idOf(each, collections)) }),
    ...(Array.isArray(searches) && { searches: searches.map((each) => byId(each, collections)) }),
  };
}

function idOf(reference: unknown, collections: NamedCollections): unknown {
  const id = collections.get(String(reference))?.id;
  return id === undefined ? reference : String(id);
}

/** "*" is all that its caller may see, which is not the same to others. */
function namesAll(input: unknown): boolean {
  const searches = isObject(input) ? input['searches'] : undefined;
  return (
    Array.isArray(searches) && searches.some((search) => isObject(search) && search['collections'] === '*')
  );
}

/** Whether its JSON can be short: what is long is not written to find that out. */
export function isShort(value: unknown): boolean {
  let left: number = limits.keptInputCharactersMax;
  const walk = (each: unknown): void => {
    if (left < 0) return;
    left -= typeof each === 'string' ? each.length + 2 : 1;
    if (Array.isArray(each)) {
      for (const item of each) {
        left -= 1;
        walk(item);
        if (left < 0) return;
      }
    } else if (isObject(each)) {
      for (const name of Object.keys(each)) {
        left -= name.length + 3;
        walk(each[name]);
        if (left < 0) return;
      }
    }
  };
  walk(value);
  return left >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
