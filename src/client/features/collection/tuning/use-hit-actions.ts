import type { Override } from '#shared/overrides.ts';
import { newOverride } from './overrides/new-override.ts';
import { withHidden, withoutPin, withPin } from './overrides/pins.ts';
import type { HitActions } from './preview/preview-row.tsx';
import type { OverrideEdit } from './tuning-draft.ts';
import { useOverrides } from './use-rules.ts';
import type { Tuning } from './use-tuning.ts';

interface Tried {
  query: string;
  /** The override that acts on it, by its name. */
  actingId: string | undefined;
}

/** Hits are pinned and left out by the override that is written; else by the one that acts; else by a new one for the query. */
export function useHitActions(
  collection: number,
  tuning: Tuning,
  { query, actingId, onWrite }: Tried & { onWrite: () => void },
): HitActions {
  const overrides = useOverrides(collection);
  const current = (): OverrideEdit => {
    if (tuning.draft.override) return tuning.draft.override;
    const acting = overrides.data?.find(({ id }) => id === actingId);
    return acting ? { saved: acting, override: acting } : newOverride(query);
  };
  const write = (change: (override: Override) => Override) => {
    const edit = current();
    tuning.setOverride({ ...edit, override: change(edit.override) });
    onWrite();
  };
  return {
    pin: (id, position) => write((override) => withPin(override, id, position)),
    unpin: (id) => write((override) => withoutPin(override, id)),
    leaveOut: (id) => write((override) => withHidden(override, id)),
  };
}
