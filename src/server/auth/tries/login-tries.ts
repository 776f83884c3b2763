import type { Log } from '#server/log.ts';
import type { AccountTries, StrangersTry } from './account-tries.ts';
import { addressGroup, addressNetwork } from './address.ts';
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
    const { pairs, accounts, record, lookUps } = this.#parts;
    const names = namesOf(attempt);
    const { whose, pair, stranger } = names;
    const keys = [...new Set([pair, ...(stranger ? [stranger.account, stranger.network] : [])])];
    // Whoever is to wait costs no statement.
    pairs.check(pair);
    if (stranger) accounts.check(stranger);
    const counted = await lookUps(whose, () => record.read(keys));
    for (const [key, tried] of counted) {
      if (key === pair) pairs.learn(key, tried);
      if (key !== pair || key === stranger?.network) accounts.learn(key, tried);
    }
    if ('device' in attempt && attempt.device !== null && pairs.countOf(pair) >= deviceTriesMax) {
      return await this.#beginAsStranger(attempt, pair);
    }
    const taken = this.#take(names);
    const giveBack = (): void => {
      for (const one of taken) one.giveBack();
    };
    return {
      failWith: (error) => {
        giveBack();
        throw error;
      },
      wasWrong: () => this.#write('was not written', () => record.count(keys)),
      wasRight: async () => {
        giveBack();
        pairs.clear(pair);
        if (stranger) accounts.clear(stranger.network);
        for (const key of new Set([pair, stranger?.network ?? pair]))
          if (counted.has(key)) await this.#write('was not cleared', () => record.clear(key));
      },
    };
  }

  /** A device that was wrong too often. Once it is right it is known again. */
  async #beginAsStranger(attempt: LoginAttempt, device: string): Promise<LoginTry> {
    const { pairs, record } = this.#parts;
    const tried = await this.begin({ ...attempt, device: null });
    return {
      ...tried,
      wasRight: async () => {
        await tried.wasRight();
        pairs.clear(device);
        await this.#write('was not cleared', () => record.clear(device));
      },
    };
  }

  #take({ pair, stranger }: Names): { giveBack(): void }[] {
    const { pairs, accounts, addresses } = this.#parts;
    const taken = [pairs.take(pair)];
    if (stranger === null) return taken;
    try {
      taken.push(accounts.take(stranger));
      taken.push(addresses.take(stranger.group));
      return taken;
    } catch (error) {
      for (const one of taken) one.giveBack();
      throw error;
    }
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
  const knownBy = (known: string) => ({
    whose: { account: emailKey },
    pair: `${known} ${emailKey}`,
    stranger: null,
  });
  if ('by' in attempt) return knownBy(attempt.by);
  const { address, device } = attempt;
  if (device !== null) return knownBy(`device ${device}`);
  const group = addressGroup(address);
  const network = `${addressNetwork(address)} ${emailKey}`;
  const pair = `${group} ${emailKey}`;
  return { whose: { address }, pair, stranger: { account: `account ${emailKey}`, network, group } };
}
