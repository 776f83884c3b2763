/**
 * Who of several is next to use what they share: start-time fair queueing (Goyal, Vin and Cheng, 1996), with a use charged once it is
 * over, since nobody knows beforehand what it costs. The next is whoever has used least. Whoever had nothing to do for a while begins
 * level with the others, so that nothing is saved up; whoever used more than others owes at most `debtMax`, and nothing once nobody
 * waits. A choice looks at all who wait or owe.
 */
export class FairShares<Key> {
  readonly #debtMax: number;
  readonly #accounts = new Map<Key, Account>();
  /** What had been used by the one who was chosen last, when it was chosen. */
  #level = 0;
  #choices = 0;
  #waiting = 0;

  constructor(debtMax: number) {
    this.#debtMax = debtMax;
  }

  /** Has something to do from now on. */
  enter(key: Key): void {
    if (this.#waiting === 0) this.#accounts.clear();
    const account = this.#accountOf(key);
    if (!account.isWaiting) this.#waiting += 1;
    account.isWaiting = true;
    account.used = Math.max(account.used, this.#level);
  }

  /** Has nothing more to do. */
  leave(key: Key): void {
    const account = this.#accounts.get(key);
    if (!account?.isWaiting) return;
    this.#waiting -= 1;
    account.isWaiting = false;
    this.#forgetSettled(key, account);
  }

  /** Of equals the one whose last turn is longest ago. Null: nobody waits who `may`. */
  next(may: (key: Key) => boolean = () => true): Key | null {
    let best: { key: Key; account: Account } | null = null;
    for (const [key, account] of this.#accounts) {
      if (account.isWaiting) {
        if ((best === null || isBefore(account, best.account)) && may(key)) best = { key, account };
      } else this.#forgetSettled(key, account);
    }
    if (best === null) return null;
    this.#level = Math.max(this.#level, best.account.used);
    best.account.chosenAt = ++this.#choices;
    return best.key;
  }

  /** What a turn came to, in shares. */
  charge(key: Key, cost: number): void {
    const account = this.#accountOf(key);
    account.used = Math.min(account.used + cost, this.#level + this.#debtMax);
  }

  /** In shares; whoever neither waits nor owes is level with the others. */
  usedOf(key: Key): number {
    return this.#accounts.get(key)?.used ?? this.#level;
  }

  /** How many wait or owe. */
  get size(): number {
    return this.#accounts.size;
  }

  #accountOf(key: Key): Account {
    const known = this.#accounts.get(key);
    if (known) return known;
    const account = { used: this.#level, chosenAt: 0, isWaiting: false };
    this.#accounts.set(key, account);
    return account;
  }

  /** Who owes nothing begins level with the others, as somebody new does. */
  #forgetSettled(key: Key, { used, isWaiting }: Account): void {
    if (!isWaiting && used <= this.#level) this.#accounts.delete(key);
  }
}

interface Account {
  used: number;
  /** The number of the choice that fell on it last. */
  chosenAt: number;
  isWaiting: boolean;
}

function isBefore(a: Account, b: Account): boolean {
  return a.used < b.used || (a.used === b.used && a.chosenAt < b.chosenAt);
}
