import type { EffectiveRequest } from '#shared/search.ts';
import { type OverrideEdit, toOverride } from '../tuning-draft.ts';

/** Why an override that is written does not act on the query that is tried; null: it does. */
export function silenceOf(
  edit: OverrideEdit,
  tried: { request: EffectiveRequest; now: number },
): string | null {
  const override = toOverride(edit);
  if (override === null || tried.request.override?.id === override.id) return null;
  if (!override.active) return 'It is not active: it changes nothing before it is switched on.';
  if (override.until && Date.parse(override.until) <= tried.now) return 'Its time is over.';
  const other = tried.request.override?.id;
  if (other !== undefined)
    return `For the query in the preview the override “${other}” comes first by its name.`;
  if (tried.request['enable_overrides'] === false) return 'Overrides are switched off in the settings.';
  return 'It is not about the query in the preview.';
}
