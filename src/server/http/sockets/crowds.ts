/** Whom a thing counts for, the wider first: a network and an address in it, an account and a key of it. */
export type CrowdNames = readonly [crowd: string, member: string];

/** By how many they have; whoever came to that number first stands first. Each count changes by one at a time. */
class Ranking<Holder> {
  readonly #byCount: Set<Holder>[] = [];
  #most = 0;

  get first(): Holder | undefined {
    const [first] = this.#byCount[this.#most] ?? [];
    return first;
  }

  move(holder: Holder, { from, to }: { from: number; to: number }): void {
    this.#byCount[from]?.delete(holder);
    if (to > 0) {
      const same = this.#byCount[to] ?? new Set();
      this.#byCount[to] = same.add(holder);
    }
    this.#most = Math.max(this.#most, to);
    while (this.#most > 0 && !this.#byCount[this.#most]?.size) this.#most -= 1;
  }
}

interface Member<Thing> {
  name: string;
  /** The oldest first. */
  things: Set<Thing>;
}

interface Crowd<Thing> {
  name: string;
  count: number;
  members: Map<string, Member<Thing>>;
  ranking: Ranking<Member<Thing>>;
}

interface Holder<Thing> {
  crowd: Crowd<Thing>;
  member: Member<Thing>;
}

/** Tells which thing is to go first: of the crowd with most of them, of its member with most, the oldest. All in constant time. */
export class Crowds<Thing> {
  readonly #crowds = new Map<string, Crowd<Thing>>();
  readonly #ranking = new Ranking<Crowd<Thing>>();
  readonly #holders = new Map<Thing, Holder<Thing>>();

  get size(): number {
    return this.#holders.size;
  }

  has(thing: Thing): boolean {
    return this.#holders.has(thing);
  }

  /** As the newest of its holder. */
  add(thing: Thing, [crowdName, memberName]: CrowdNames): void {
    this.delete(thing);
    const crowd = this.#crowds.get(crowdName) ?? newCrowd(crowdName);
    const member = crowd.members.get(memberName) ?? { name: memberName, things: new Set() };
    this.#crowds.set(crowdName, crowd);
    crowd.members.set(memberName, member);
    this.#holders.set(thing, { crowd, member });
    member.things.add(thing);
    this.#moved(crowd, member, 1);
  }

  delete(thing: Thing): void {
    const holder = this.#holders.get(thing);
    if (!holder) return;
    const { crowd, member } = holder;
    this.#holders.delete(thing);
    member.things.delete(thing);
    this.#moved(crowd, member, -1);
    if (member.things.size === 0) crowd.members.delete(member.name);
    if (crowd.count === 0) this.#crowds.delete(crowd.name);
  }

  first(): { thing: Thing; crowd: string } | null {
    const crowd = this.#ranking.first;
    const [thing] = crowd?.ranking.first?.things ?? [];
    return crowd && thing !== undefined ? { thing, crowd: crowd.name } : null;
  }

  #moved(crowd: Crowd<Thing>, member: Member<Thing>, by: 1 | -1): void {
    const { size } = member.things;
    crowd.ranking.move(member, { from: size - by, to: size });
    crowd.count += by;
    this.#ranking.move(crowd, { from: crowd.count - by, to: crowd.count });
  }
}

function newCrowd<Thing>(name: string): Crowd<Thing> {
  return { name, count: 0, members: new Map(), ranking: new Ranking() };
}
