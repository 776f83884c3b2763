import { type CrowdNames, Crowds } from './crowds.ts';

export interface PlaceLimits {
  /** Connections at once. */
  max: number;
  /** Of them from one address, and from one network. */
  perAddress: number;
  perNetwork: number;
  /** Of them with nothing but a refusal that is held back. */
  heldBack: number;
}

/**
 * Which connections may be open. An address and its network have no more than their shares. When all places are taken, those make room for whom
 * a refusal is held back, then idle ones, then those of slow readers, unless the newcomer's network has as many open as that with most of the
 * kind. Of each kind that one is closed which the largest crowd has had longest. Each question takes the same time, however many there are.
 */
export class ConnectionPlaces<Connection> {
  readonly #limits: PlaceLimits;
  readonly #close: (connection: Connection) => void;
  /** From where each comes: network and address. */
  readonly #names = new Map<Connection, CrowdNames>();
  readonly #byNetwork = new Counts();
  readonly #byAddress = new Counts();
  readonly #idle = new Crowds<Connection>();
  readonly #heldBack = new Crowds<Connection>();
  readonly #slow = new Crowds<Connection>();

  constructor(limits: PlaceLimits, close: (connection: Connection) => void) {
    this.#limits = limits;
    this.#close = close;
  }

  get open(): number {
    return this.#names.size;
  }

  /** Whether a new connection may stay. It is idle at first. */
  admit(connection: Connection, names: CrowdNames): boolean {
    const [network, address] = names;
    const { max, perAddress, perNetwork } = this.#limits;
    if (this.#byAddress.of(address) >= perAddress || this.#byNetwork.of(network) >= perNetwork) return false;
    if (this.open >= max && !this.#makeRoom(network)) return false;
    this.#names.set(connection, names);
    this.#byNetwork.add(network, 1);
    this.#byAddress.add(address, 1);
    this.#idle.add(connection, names);
    return true;
  }

  /** It has a request under way. */
  use(connection: Connection): void {
    this.#idle.delete(connection);
    this.#heldBack.delete(connection);
    this.#slow.delete(connection);
  }

  /** Its request is refused, and the answer waits. @param by who asked: behind a proxy the connection's address does not tell */
  holdBack(connection: Connection, by: CrowdNames): void {
    if (!this.#names.has(connection)) return;
    this.use(connection);
    this.#heldBack.add(connection, by);
    if (this.#heldBack.size > this.#limits.heldBack) this.#end(this.#heldBack.first()?.thing);
  }

  /** Of one in use: whether an answer on it waits for its reader, who is slow. */
  noteReader(connection: Connection, isSlow: boolean): void {
    const names = this.#names.get(connection);
    if (!isSlow) this.#slow.delete(connection);
    else if (names && !this.#slow.has(connection)) this.#slow.add(connection, names);
  }

  /** It has none any more. */
  rest(connection: Connection): void {
    const names = this.#names.get(connection);
    if (!names) return;
    this.use(connection);
    this.#idle.add(connection, names);
  }

  leave(connection: Connection): void {
    const names = this.#names.get(connection);
    if (!names) return;
    this.#names.delete(connection);
    const [network, address] = names;
    this.#byNetwork.add(network, -1);
    this.#byAddress.add(address, -1);
    this.use(connection);
  }

  #makeRoom(network: string): boolean {
    const worst =
      this.#heldBack.first() ??
      this.#firstOfLarger(this.#idle, network) ??
      this.#firstOfLarger(this.#slow, network);
    this.#end(worst?.thing);
    return worst !== null;
  }

  #firstOfLarger(kind: Crowds<Connection>, network: string) {
    const first = kind.first();
    if (first === null || first.crowd === network) return first;
    return this.#byNetwork.of(first.crowd) > this.#byNetwork.of(network) ? first : null;
  }

  #end(connection: Connection | undefined): void {
    if (connection === undefined) return;
    this.leave(connection);
    this.#close(connection);
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
