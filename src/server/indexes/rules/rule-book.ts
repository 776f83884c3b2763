import type { Sql } from 'postgres';
import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { RecordStore } from '#server/db/client.ts';
import { databaseUnavailable, toRecordError } from '#server/db/record-error.ts';
import type { Steps } from '#server/engine/steps.ts';
import { within } from '#server/within.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { CollectionHandle } from '../indexes.ts';
import { actingLanguage } from '../language/acting-language.ts';
import { changesSomething } from './rule-change.ts';
import { noRules, nothingStored, Rules, type StoredRules } from './rules.ts';

/** Rules that are kept, of one account and of all: characters of their texts. Those in use longest ago go first. */
const bounds = { collections: 2_000, characters: 16 * 1024 * 1024, charactersOfTenant: 4 * 1024 * 1024 };

/** As long as for who calls and which collection it is. */
const answerWithinMs = 3_000;

interface Kept {
  rules: Rules;
  tenant: string;
  characters: number;
}

type RuleRecord = Pick<RecordStore, 'as'>;
type Bounds = typeof bounds;
type Collection = Pick<CollectionHandle, 'id' | 'for' | 'rulesVersion'>;

/**
 * The rules of collections. A collection as its caller knows it says which version of its rules a search must have at least: what is known
 * of a collection is dropped before a change of its rules is answered, on other servers soon after. So rules are kept without being asked
 * for again, and a search whose rules are known sends no statement.
 */
export class RuleBook {
  readonly #record: RuleRecord;
  readonly #bounds: Bounds;
  /** In the order of their last use. */
  readonly #kept = new Map<number, Kept>();
  readonly #lookUps = new Map<string, Promise<Rules>>();

  constructor(record: RuleRecord, most: Partial<Bounds> = {}) {
    this.#record = record;
    this.#bounds = { ...bounds, ...most };
  }

  /** @throws AppError UNAVAILABLE where the record cannot be asked */
  async of(collection: Collection): Promise<Rules> {
    if (collection.rulesVersion === 0) return noRules;
    const known = this.#kept.get(collection.id);
    if (known === undefined || known.rules.version < collection.rulesVersion)
      return await this.#lookUp(collection);
    this.#kept.delete(collection.id);
    this.#kept.set(collection.id, known);
    return known.rules;
  }

  /** The rules as they would be with a draft; nothing of it is kept. @throws AppError UNAVAILABLE */
  async drafted(collection: Collection, draft: RuleDraft): Promise<Rules> {
    const known = await this.of(collection);
    const { settings, synonyms, overrides } = draft;
    if (!settings && !changesSomething(synonyms) && !changesSomething(overrides)) return known;
    return inTurns(known.with(draft), collection.for);
  }

  /** Of all that is kept. */
  get characters(): number {
    return this.#sum(() => true);
  }

  /** One for all who ask for the same at the same time. */
  #lookUp(collection: Collection): Promise<Rules> {
    const key = `${collection.id}/${collection.rulesVersion}`;
    const underWay = this.#lookUps.get(key);
    if (underWay) return underWay;
    const begun = this.#read(collection).finally(() => this.#lookUps.delete(key));
    this.#lookUps.set(key, begun);
    return begun;
  }

  async #read(collection: Collection): Promise<Rules> {
    const stored = await this.#readStored(collection);
    const rules = await inTurns(Rules.of(stored), collection.for);
    const known = this.#kept.get(collection.id);
    if (known === undefined || known.rules.version < rules.version)
      this.#keep(collection, { rules, tenant: collection.for.tenant, characters: charactersOf(stored) });
    return rules;
  }

  #readStored(collection: Collection): Promise<StoredRules> {
    const reading = readRules(this.#record.as(collection.for.tenant).sql, collection.id);
    return within(reading, answerWithinMs, databaseUnavailable);
  }

  #keep({ id }: Collection, kept: Kept): void {
    this.#kept.delete(id);
    const { collections, characters, charactersOfTenant } = this.#bounds;
    const isTenants = ({ tenant }: Kept) => tenant === kept.tenant;
    this.#dropOldest(isTenants, charactersOfTenant - kept.characters);
    this.#dropOldest(() => true, characters - kept.characters);
    this.#kept.set(id, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > collections && oldest !== undefined) this.#kept.delete(oldest);
  }

  #dropOldest(isOf: (kept: Kept) => boolean, charactersMax: number): void {
    let held = this.#sum(isOf);
    for (const [id, kept] of this.#kept) {
      if (held <= charactersMax) return;
      if (!isOf(kept)) continue;
      this.#kept.delete(id);
      held -= kept.characters;
    }
  }

  #sum(isOf: (kept: Kept) => boolean): number {
    let sum = 0;
    for (const kept of this.#kept.values()) if (isOf(kept)) sum += kept.characters;
    return sum;
  }
}

/** Work on the thread after which others have their turn. */
const longMs = 2;

/** Half a megabyte of rules takes some tenths of a second. */
async function inTurns(steps: Steps<Rules>, requester: Requester): Promise<Rules> {
  for (;;) {
    await loopTurns.next(requester);
    const since = performance.now();
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() - since < longMs);
  }
}

/** In one statement, so that all is of one version. A collection that has gone meanwhile has none. */
async function readRules(sql: Sql, collectionId: number): Promise<StoredRules> {
  try {
    const [row] = await sql<StoredRules[]>`
      select rules_version as version, ${sql.unsafe(actingLanguage)} as language,
        (select settings from search_settings where collection_id = collections.id) as settings,
        (select coalesce(jsonb_agg(jsonb_build_object('name', id, 'parameters', parameters)), '[]')
          from presets where collection_id = collections.id) as presets,
        (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'synonyms', members, 'root', root) order by id collate "C"), '[]')
          from synonyms where collection_id = collections.id) as synonyms,
        (select coalesce(jsonb_agg(definition || jsonb_build_object('id', id) order by id collate "C"), '[]')
          from overrides where collection_id = collections.id) as overrides,
        (select coalesce(jsonb_object_agg(mode, weights), '{}')
          from calibrations where collection_id = collections.id) as relevance
      from collections where id = ${collectionId}`;
    return row ?? nothingStored;
  } catch (error) {
    throw toRecordError(error) ?? error;
  }
}

/** Of the texts as JSON: what is made of them takes some times as much. */
function charactersOf(stored: StoredRules): number {
  return JSON.stringify(stored).length;
}
