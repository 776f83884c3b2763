import type { Deps } from '#server/deps.ts';
import type { CountFault } from '../sockets/early-answers.ts';
import { ratedAs } from './rate.ts';

/** What the app does not see counts as a request of nobody. */
export function createCountFault(deps: Pick<Deps, 'rates'>): CountFault {
  return (address) => {
    const { counted, name } = ratedAs(null, address);
    const limit = deps.rates[counted];
    if (limit === null) return true;
    if (limit.findRejection(name) !== null) return false;
    limit.take(name);
    return true;
  };
}
