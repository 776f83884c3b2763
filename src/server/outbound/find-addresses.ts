import { type LookupAddress, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

/** All addresses of a host's name. @throws what the resolver throws */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

export const resolveBySystem: Resolve = (name) => promises.lookup(name, { all: true });

/** An address that the operator does not let webhooks be sent to. */
export class PrivateAddressError extends Error {}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/** Whether the host of a URL is an address and no name. A URL has each spelling of an IPv4 address in the usual one. */
export function isAddress(host: string): boolean {
  return isIP(withoutBrackets(host)) !== 0;
}

interface Finding {
  resolve: Resolve;
  mayBePrivate: boolean;
}

/**
 * The addresses of a host as a URL names it: a name, or an address itself. One private address among them is enough to be refused: which of them
 * is connected to is not ours to say.
 * @throws PrivateAddressError, and what the resolver throws
 */
export async function findAddresses(
  host: string,
  { resolve, mayBePrivate }: Finding,
): Promise<LookupAddress[]> {
  const bare = withoutBrackets(host);
  const family = isIP(bare);
  const found = family === 0 ? await resolve(bare) : [{ address: bare, family }];
  if (!mayBePrivate && !found.every(({ address }) => isPublicAddress(address)))
    throw new PrivateAddressError(`${host} is not an address of the public Internet`);
  return found;
}

/** For a connection: what is looked up is what is connected to, so that a name cannot mean another address by then. */
export function checkedLookup(finding: Finding): LookupFunction {
  return (name, options, callback) => {
    findAddresses(name, finding).then(
      (found) => {
        const [first] = found;
        if (!first) return callback(new Error(`${name} has no address`), '');
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}
