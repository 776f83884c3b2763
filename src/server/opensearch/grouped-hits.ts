import type { Pin, SearchQuery } from '#server/engine/types.ts';
import { countedGroups, type GroupKey, groupKeysOf, ofGroup } from './counted-groups.ts';
import { slotName } from './field-names.ts';
import { compareHits } from './hit-order.ts';
import { type AskSearches, counted, totalOf } from './multi-search.ts';
import { notBuilt } from './not-built.ts';
import { allOf, anyOf, noneOf, type Query } from './query.ts';
import type { ClusterOrdered, FoundHit, Ranked } from './ranked.ts';
import { leaving, rankedPage } from './ranked-page.ts';

interface Grouped {
  ask: AskSearches;
  query: SearchQuery & { group: NonNullable<SearchQuery['group']> };
  ranked: Ranked;
  /** Those that pass, by position. */
  pins: Pin[];
}

interface Group {
  key: GroupKey;
  /** Those that are ordered here, pins aside. */
  known: FoundHit[];
  /** Documents, pins aside. */
  count: number;
  /** The best of these. */
  best: FoundHit | null;
  /** By position. */
  pins: Pin[];
}

interface FilledGroup {
  found: number;
  hits: FoundHit[];
}

const groupsMax = 100_000;

const headOf = ({ best, pins: [pin] }: Group): string => pin?.id ?? best?.id ?? '';
const sizeOf = ({ count, pins }: Group): number => count + pins.length;

/**
 * A list of groups in place of one of hits. A group stands where its best hit does, its head, so that a list of groups is the list of their heads, with the
 * pages, pins and walks of any list; a pin is the head of its group. All groups are counted; only those on the page are filled. A document that has none of
 * the fields and is a group of its own stays in the cluster's order.
 */
export class GroupedHits {
  readonly #grouped: Grouped;
  readonly #fields: string[];
  /** By key. */
  readonly #groups = new Map<string, Group>();
  /** Of the hits that are ordered here, by id. */
  #keys = new Map<string, GroupKey>();
  #alone: FoundHit[] = [];
  #pinsAlone: Pin[] = [];
  /** Of the candidates without pins; null: none are in the cluster's order. */
  #others: ClusterOrdered | null = null;
  #singles: { ordered: ClusterOrdered; count: number } | null = null;

  private constructor(grouped: Grouped) {
    this.#grouped = grouped;
    this.#fields = grouped.query.group.fields.map((field) => slotName('k', field));
  }

  /** @throws AppError UNPROCESSABLE: there are too many groups, or their order is not known */
  static async of(grouped: Grouped): Promise<GroupedHits> {
    const list = new GroupedHits(grouped);
    await list.#count();
    return list;
  }

  /** In place of the candidates, without pins. */
  get heads(): Ranked {
    const { ranked } = this.#grouped;
    const best = this.#all.flatMap((group) => (group.pins.length === 0 && group.best ? [group.best] : []));
    const known = [...best, ...this.#alone].sort((a, b) => compareHits(ranked.order, a, b));
    return { ...ranked, known, others: this.#singles?.ordered ?? null };
  }

  /** The first of each group that has any. */
  get pins(): Pin[] {
    const firsts = new Set([...this.#all.map(({ pins: [first] }) => first), ...this.#pinsAlone]);
    return this.#grouped.pins.filter((pin) => firsts.has(pin));
  }

  get foundDocuments(): number {
    const alone = this.#alone.length + this.#pinsAlone.length + (this.#singles?.count ?? 0);
    return this.#all.reduce((sum, group) => sum + sizeOf(group), alone);
  }

  /** Of heads: how many documents their groups have, and the first of them. */
  async fill(heads: FoundHit[]): Promise<FilledGroup[]> {
    const { ask, query, ranked } = this.#grouped;
    const { limit } = query.group;
    const byHead = new Map(this.#all.map((group) => [headOf(group), group]));
    const named = await this.#namedByGroup(heads.flatMap(({ id }) => byHead.get(id) ?? []));
    return await Promise.all(
      heads.map(async (head): Promise<FilledGroup> => {
        const group = byHead.get(head.id);
        const found = group === undefined ? 1 : sizeOf(group);
        if (group === undefined || found === 1) return { found, hits: [head] };
        const pinned = group.pins.slice(0, limit).map(({ id }) => id);
        const rest = { offset: 0, limit: limit - pinned.length, without: [], after: null };
        const [pins, { hits }] = await Promise.all([
          pinned.length === 0 ? [] : ranked.these(pinned),
          rankedPage(ask, { ...this.#within(group, named), order: ranked.order }, rest),
        ]);
        return { found, hits: [...pins, ...hits] };
      }),
    );
  }

  /** The group of a document in the list: who heads it, its pins, and its others. Null: it is one of its own. */
  async groupOf(id: string) {
    const key = (await groupKeysOf(this.#grouped.ask, this.#fields, [{ id }])).get(id);
    const group = key && !this.#isAlone(key) ? this.#groups.get(JSON.stringify(key)) : undefined;
    if (group === undefined) return null;
    const within = this.#within(group, await this.#namedByGroup([group]));
    return { head: headOf(group), found: sizeOf(group), pinned: group.pins, within };
  }

  get #all(): Group[] {
    return [...this.#groups.values()];
  }

  async #count(): Promise<void> {
    const { ask, query, ranked, pins } = this.#grouped;
    if (ranked.others !== null && ranked.known.length > 0 && query.fusion === 'rrf')
      throw notBuilt('"group_by" with "fusion": "rrf"', 'group_by');
    const without = pins.map(({ id }) => id);
    const known = ranked.known.filter(({ id }) => !without.includes(id));
    const fields = this.#fields;
    this.#keys = await groupKeysOf(ask, fields, known);
    for (const hit of known) {
      const key = this.#keys.get(hit.id) ?? [];
      if (this.#isAlone(key)) this.#alone.push(hit);
      else this.#add(key, hit, 1).known.push(hit);
    }
    await this.#countOthers(without);
    const pinKeys = await groupKeysOf(ask, fields, pins);
    for (const pin of pins) {
      const key = pinKeys.get(pin.id) ?? [];
      if (this.#isAlone(key)) this.#pinsAlone.push(pin);
      else this.#named(key).pins.push(pin);
    }
  }

  async #countOthers(without: string[]): Promise<void> {
    const { ask, query, ranked } = this.#grouped;
    if (ranked.others === null) return;
    const others = restricted(ranked.others, (candidates) => leaving(candidates, without));
    this.#others = others;
    const withKey = anyOf(this.#fields.map((field) => ({ exists: { field } })));
    const grouped = query.group.joinsMissing ? others : narrowed(others, withKey);
    for await (const { key, head, count } of countedGroups(ask, this.#fields, grouped)) {
      this.#add(key, head, count);
      if (this.#groups.size > groupsMax)
        throw notBuilt(`"group_by" with more than ${groupsMax} groups`, 'group_by');
    }
    if (query.group.joinsMissing) return;
    const ordered = narrowed(others, noneOf([withKey]));
    const [reply] = await ask([counted({ size: 0, query: ordered.candidates })]);
    this.#singles = { ordered, count: totalOf(reply) };
  }

  /** Whether a document with such a key is a group of its own. */
  #isAlone(key: GroupKey): boolean {
    return !this.#grouped.query.group.joinsMissing && key.every((value) => value === null);
  }

  #named(key: GroupKey): Group {
    const name = JSON.stringify(key);
    const known = this.#groups.get(name) ?? { key, known: [], count: 0, best: null, pins: [] };
    this.#groups.set(name, known);
    return known;
  }

  #add(key: GroupKey, hit: FoundHit, count: number): Group {
    const group = this.#named(key);
    group.count += count;
    if (group.best === null || compareHits(this.#grouped.ranked.order, hit, group.best) < 0) group.best = hit;
    return group;
  }

  /** Of the ids that the candidates name those that are in a group, by its key: thousands would go out for each group, of which few are in it. */
  async #namedByGroup(groups: Group[]): Promise<Map<string, string[]>> {
    const byGroup = new Map<string, string[]>();
    const named = this.#others?.named ?? [];
    if (named.length === 0 || groups.every((group) => sizeOf(group) === 1)) return byGroup;
    const unknown = named.filter((id) => !this.#keys.has(id)).map((id) => ({ id }));
    const others = await groupKeysOf(this.#grouped.ask, this.#fields, unknown);
    for (const id of named) {
      const key = this.#keys.get(id) ?? others.get(id);
      if (key === undefined) continue;
      const name = JSON.stringify(key);
      const own = byGroup.get(name);
      if (own === undefined) byGroup.set(name, [id]);
      else own.push(id);
    }
    return byGroup;
  }

  #within({ key, known }: Group, named: Map<string, string[]>): Pick<Ranked, 'known' | 'others'> {
    if (this.#others === null) return { known, others: null };
    const candidates = this.#others.naming(named.get(JSON.stringify(key)) ?? []);
    const others = { ...this.#others, candidates: allOf([candidates, ofGroup(this.#fields, key)]) };
    return { known, others };
  }
}

const narrowed = (ordered: ClusterOrdered, condition: Query): ClusterOrdered =>
  restricted(ordered, (candidates) => allOf([candidates, condition]));

const restricted = (ordered: ClusterOrdered, within: (candidates: Query) => Query): ClusterOrdered => ({
  ...ordered,
  candidates: within(ordered.candidates),
  naming: (ids) => within(ordered.naming(ids)),
});
