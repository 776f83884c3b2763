import type { Log } from '#server/log.ts';
import { addressGroup } from './address.ts';
import type { LookUps } from './look-ups.ts';
import type { Backoff, Throttle } from './throttle.ts';
import type { WrongPasswords } from './wrong-passwords.ts';

/** Who tries to sign in to which account. */
export interface LoginAttempt {
  emailKey: string;
  address: string;
  /** The device's name where it has signed in to this account before. */
  device: string | null;
}

/** A try that is counted; exactly one of these follows. */
export interface LoginTry {
  wasRight(): Promise<void>;
  wasWrong(): Promise<void>;
  /** No password was looked at. @throws the error */
  failWith(error: unknown): never;
}

export interface LoginTriesParts {
  /** By account and address group together, or by account and device. */
  pairs: Backoff;
  /** By account, from all strangers together: far looser. */
  accounts: Backoff;
  /** By address group, over all accounts. */
  addresses: Throttle;
  record: WrongPasswords;
  lookUps: LookUps;
  log: Log;
}

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
  async begin(attempt: LoginAttempt): Promise<LoginTry> {
    const { pairs, accounts, record, lookUps } = this.#parts;
    const { emailKey, address, device } = attempt;
    const pair = pairOf(attempt);
    const account = device === null ? `account ${emailKey}` : null;
    const keys = account === null ? [pair] : [pair, account];
    // Whoever is to wait costs no statement.
    pairs.check(pair);
    if (account !== null) accounts.check(account);
    const whose = device === null ? { address } : { account: emailKey };
    const counted = await lookUps(whose, () => record.read(keys));
    for (const [key, tried] of counted) (key === pair ? pairs : accounts).learn(key, tried);
    const taken = this.#take(pair, account, address);
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
        if (counted.has(pair)) await this.#write('was not cleared', () => record.clear(pair));
      },
    };
  }

  #take(pair: string, account: string | null, address: string): { giveBack(): void }[] {
    const { pairs, accounts, addresses } = this.#parts;
    const taken = [pairs.take(pair)];
    if (account === null) return taken;
    try {
      taken.push(accounts.take(account));
      taken.push(addresses.take(addressGroup(address)));
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

function pairOf({ emailKey, address, device }: LoginAttempt): string {
  return device === null ? `${addressGroup(address)} ${emailKey}` : `device ${device} ${emailKey}`;
}
