import { AppError } from '#server/errors.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import { unfitOverride } from '../registry/caller-errors.ts';
import type { AppliedRules } from './apply-rules.ts';
import type { Rules } from './rules.ts';

interface Searched {
  rules: Pick<Rules, 'settings' | 'getPreset'>;
  given: GivenParameters;
  acting: AppliedRules['acting'];
}

/** What is wrong with a parameter that the search itself does not say is the fault of what says it: an override, the preset or the settings. */
export function asOfRules(error: unknown, { rules, given, acting }: Searched): unknown {
  if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST') return error;
  const [first] = error.details ?? [];
  if (first === undefined) return error;
  const says = (parameters: GivenParameters) => Object.hasOwn(parameters, first.path);
  if (first.path === 'sort_by' && acting.override?.sort_by !== undefined)
    return unfitOverride('order', [{ ...first, path: 'override.sort_by' }]);
  if (says(given)) return error;
  const preset = given.preset === undefined ? {} : rules.getPreset(given.preset);
  const [owner, name] = says(preset)
    ? ['preset', `The preset "${given.preset}" does`]
    : says(rules.settings)
      ? ['settings', 'The search settings do']
      : [];
  if (owner === undefined) return error;
  return new AppError(
    'UNPROCESSABLE',
    `${name} not fit the collection: ${error.message}. A search that says "${first.path}" itself is answered`,
    { details: [{ ...first, path: `${owner}.${first.path}` }], cause: error },
  );
}
