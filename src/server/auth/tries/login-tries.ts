import { addressGroup, addressNetwork } from '#server/admission/address.ts';
import type { Log } from '#server/log.ts';
import type { AccountTries, StrangersTry } from './account-tries.ts';
import type { LookUps } from './look-ups.ts';
import type { Backoff, Throttle } from './throttle.ts';
import type { Whose } from './turn-queue.ts';
import type { WrongPasswords } from './wrong-passwords.ts';

/** Who tries to sign in to which account. */
export interface LoginAttempt {
  emailKey: string;
  address: string;
  /** The device's name where it has signed in to this account before. */
  device: string | null;
}

/** A guess of somebody who has shown more than a stranger, and what that was: a session, the account's password. */
export interface KnownAttempt {
  emailKey: string;
  by: string;
}

/** A try that is counted; exactly one of these follows. */
export interface LoginTry {
  /** Which one it is of those since the last that was right. */
  readonly inARow: number;
  wasRight(): Promise<void>;
  wasWrong(): Promise<void>;
  /** No password was looked at. @throws the error */
  failWith(error: unknown): never;
}

export interface LoginTriesParts {
  /** By account and address group together, or by account and what is known of who tries. */
  pairs: Backoff;
  /** By account, from all strangers together: far looser. */
  accounts: AccountTries;
  /** By address group, over all accounts. */
  addresses: Throttle;
  record: WrongPasswords;
  lookUps: LookUps;
  log: Log;
}

/** What a try counts under. */
interface Names {
  whose: Whose;
  pair: string;
  /** Null: it is no stranger's. */
  stranger: (StrangersTry & { group: string }) | null;
  /** In the record. */
  keys: string[];
}

/** A device that was wrong so often in a row is no longer known to the account: NIST SP 800-63B, section 3.2.2. */
const deviceTriesMax = 100;

/**
 * Slows down guessing without a way to shut somebody else out. Who guesses slows down the account and the own address together. Only tries
 * from many addresses slow down an account for strangers, and a device that has signed in to it before is no stranger: it has a count of
 * its own and nothing else.
 */
export class LoginTries {
  readonly #parts: LoginTriesParts;

  constructor(parts: LoginTriesParts) {
    this.#parts = parts;
  }

  /**
   * Counts a try before the password is looked at.
   * @throws AppError TOO_MANY_REQUESTS
   */
  async begin(attempt: LoginAttempt | KnownAttempt): Promise<LoginTry> {
    const { pairs, accounts, addresses } = this.#parts;
    const names = namesOf(attempt);
    const { pair, stranger } = names;
    const taken: { giveBack(): void }[] = [];
    const giveBack = (): void => {
      for (const one of taken.splice(0)) one.giveBack();
    };
    try {
      // Whoever is to wait costs no statement.
      pairs.check(pair);
      if (stranger) accounts.check(stranger);
      if (stranger) taken.push(addresses.take(stranger.group));
      const counted = await this.#learn(names);
      if ('device' in attempt && attempt.device !== null && pairs.countOf(pair) >= deviceTriesMax) {
        return await this.#beginAsStranger(attempt, pair);
      }
      taken.push(pairs.take(pair));
      if (stranger) taken.push(accounts.take(stranger));
      return this.#counted(names, { counted, giveBack });
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** What the record has counted. @returns the keys that it has counted anything under */
  async #learn({ whose, pair, stranger, keys }: Names): Promise<Set<string>> {
    const { pairs, accounts, record, lookUps } = this.#parts;
    const found = await lookUps(whose, () => record.read(keys));
    for (const [key, tried] of found) {
      if (key === pair) pairs.learn(key, tried);
      if (key !== pair || key === stranger?.network) accounts.learn(key, tried);
    }
    return new Set(found.keys());
  }

  #counted(
    { pair, stranger, keys }: Names,
    { counted, giveBack }: { counted: Set<string>; giveBack: () => void },
  ): LoginTry {
    const { pairs, accounts, record } = this.#parts;
    return {
      inARow: pairs.countOf(pair),
      failWith: (error) => {
        giveBack();
        throw error;
      },
      wasWrong: () => this.#write('was not written', () => record.count(keys)),
      wasRight: async () => {
        giveBack();
        pairs.clear(pair);
        if (stranger) accounts.clear(stranger.network);
        for (const key of keys) if (counted.has(key) && key !== stranger?.account) await this.#clear(key);
      },
    };
  }

  /** A device that was wrong too often. Once it is right it is known again. */
  async #beginAsStranger(attempt: LoginAttempt, device: string): Promise<LoginTry> {
    const tried = await this.begin({ ...attempt, device: null });
    return {
      ...tried,
      wasRight: async () => {
        await tried.wasRight();
        this.#parts.pairs.clear(device);
        await this.#clear(device);
      },
    };
  }

  #clear(key: string): Promise<void> {
    return this.#write('was not cleared', () => this.#parts.record.clear(key));
  }

  /** What cannot be written counts in this process all the same, and changes no answer. */
  async #write(fault: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.warn(`the count of wrong passwords ${fault}`, { error });
    }
  }
}

function namesOf(attempt: LoginAttempt | KnownAttempt): Names {
  const { emailKey } = attempt;
  const knownBy = (known: string) => {
    const pair = `${known} ${emailKey}`;
    return { whose: { account: emailKey }, pair, stranger: null, keys: [pair] };
  };
  if ('by' in attempt) return knownBy(attempt.by);
  const { address, device } = attempt;
  if (device !== null) return knownBy(`device ${device}`);
  const group = addressGroup(address);
  const pair = `${group} ${emailKey}`;
  const account = `account ${emailKey}`;
  // Of an IPv4 address the same as the pair.
  const network = `${addressNetwork(address)} ${emailKey}`;
  const keys = [...new Set([pair, account, network])];
  return { whose: { address }, pair, stranger: { account, network, group }, keys };
}
