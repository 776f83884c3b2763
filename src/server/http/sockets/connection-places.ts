export interface PlaceLimits {
  /** Connections at once. */
  max: number;
  /** Of them from one address. */
  perAddress: number;
}

interface Address<Connection> {
  name: string;
  open: number;
  /** The one that is idle longest comes first. */
  idle: Set<Connection>;
}

/**
 * Which connections may be open. An address has no more than its share; when all places are taken, an idle connection of the address that has most of
 * these makes room, unless the newcomer's address has as many open as that. Each question takes the same time, however many there are.
 */
export class ConnectionPlaces<Connection> {
  readonly #limits: PlaceLimits;
  readonly #close: (connection: Connection) => void;
  readonly #addresses = new Map<string, Address<Connection>>();
  readonly #addressOf = new Map<Connection, Address<Connection>>();
  /** By how many idle connections they have. */
  readonly #byIdle: Set<Address<Connection>>[] = [];
  #mostIdle = 0;

  constructor(limits: PlaceLimits, close: (connection: Connection) => void) {
    this.#limits = limits;
    this.#close = close;
  }

  get open(): number {
    return this.#addressOf.size;
  }

  /** Whether a new connection may stay. It is idle at first. */
  admit(connection: Connection, name: string): boolean {
    const address = this.#addresses.get(name) ?? { name, open: 0, idle: new Set() };
    if (address.open >= this.#limits.perAddress) return false;
    if (this.open >= this.#limits.max && !this.#makeRoom(address)) return false;
    // Making room may have been the end of its last one.
    this.#addresses.set(name, address);
    this.#addressOf.set(connection, address);
    address.open += 1;
    this.#setIdle(address, () => address.idle.add(connection));
    return true;
  }

  /** It has a request under way. */
  use(connection: Connection): void {
    const address = this.#addressOf.get(connection);
    if (address) this.#setIdle(address, () => address.idle.delete(connection));
  }

  /** It has none any more. */
  rest(connection: Connection): void {
    const address = this.#addressOf.get(connection);
    if (address) this.#setIdle(address, () => address.idle.add(connection));
  }

  leave(connection: Connection): void {
    const address = this.#addressOf.get(connection);
    if (!address) return;
    this.#addressOf.delete(connection);
    address.open -= 1;
    this.#setIdle(address, () => address.idle.delete(connection));
    if (address.open > 0) return;
    this.#addresses.delete(address.name);
    this.#byIdle[0]?.delete(address);
  }

  #makeRoom(newcomer: Address<Connection>): boolean {
    const [most] = this.#byIdle[this.#mostIdle] ?? [];
    const [longest] = most?.idle ?? [];
    if (most === undefined || longest === undefined) return false;
    if (most !== newcomer && most.open <= newcomer.open) return false;
    this.leave(longest);
    this.#close(longest);
    return true;
  }

  #setIdle(address: Address<Connection>, change: () => void): void {
    this.#byIdle[address.idle.size]?.delete(address);
    change();
    const { size } = address.idle;
    const same = this.#byIdle[size] ?? new Set();
    this.#byIdle[size] = same.add(address);
    this.#mostIdle = Math.max(this.#mostIdle, size);
    while (this.#mostIdle > 0 && this.#byIdle[this.#mostIdle]?.size === 0) this.#mostIdle -= 1;
  }
}
