import { type LookupAddress, promises } from 'node:dns';
import type { Resolve } from './find-addresses.ts';

interface NameServers {
  /** The system's, unless told. */
  servers?: string[];
  timeoutMs?: number;
}

/**
 * Finds hosts that users name, by the name servers and without the system's own lookup: that has a handful of threads, and one whose name server is
 * silent holds one of them for as long, while the hosts that the operator names wait. IPv4 first.
 */
export function resolveByNameServers({ servers, timeoutMs = 2_000 }: NameServers = {}): Resolve {
  return async (name) => {
    const resolver = new promises.Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer, i): LookupAddress[] =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 }))
        : [],
    );
    const [first] = answers;
    if (found.length === 0 && first.status === 'rejected') throw first.reason;
    return found;
  };
}
