import { Group, Pill } from '@mantine/core';
import { type Tuned, tunedLabel } from '#client/lib/tuned-search.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';

interface TunedChipsProps {
  state: SearchState;
  onChange: ChangeSearch;
  /** Has a control on the page now. */
  except: keyof Tuned | null;
}

/** What a search says beside the page's own controls; each can be taken back. */
export function TunedChips({ state, onChange, except }: TunedChipsProps) {
  const set = Object.entries(state.tuned);
  const shown = set.filter(([name]) => name !== except);
  if (shown.length === 0) return null;
  const without = (name: string) => Object.fromEntries(set.filter(([other]) => other !== name));
  return (
    <Group gap="xs" mb="xs" role="group" aria-label="Changed parameters">
      {shown.map(([name, value]) => {
        const label = tunedLabel(name, value);
        return (
          <Pill
            key={name}
            withRemoveButton
            onRemove={() => onChange({ tuned: without(name), page: 1 })}
            removeButtonProps={{ 'aria-label': `Take back: ${label}`, tabIndex: 0, 'aria-hidden': false }}
          >
            {label}
          </Pill>
        );
      })}
    </Group>
  );
}
