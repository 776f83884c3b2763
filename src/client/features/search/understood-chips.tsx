import { Group, Pill } from '@mantine/core';
import type { UnderstoodPart } from '#shared/search.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';
import { takenBack, understoodLabel } from './understood.ts';

interface UnderstoodChipsProps {
  state: SearchState;
  onChange: ChangeSearch;
  parts: UnderstoodPart[];
}

/** What was read as conditions; each can be taken back, and what was taken back be understood again. */
export function UnderstoodChips({ state, onChange, parts }: UnderstoodChipsProps) {
  const { skip } = state;
  const back = takenBack(state);
  if (parts.length === 0 && back.length === 0) return null;
  return (
    <Group gap="xs" mb="xs" role="group" aria-label="What was understood">
      {parts.map((part) => {
        const label = understoodLabel(part);
        return (
          <Pill
            key={part.phrase}
            withRemoveButton
            onRemove={() => onChange({ skip: [...skip, part.phrase], page: 1 })}
            removeButtonProps={removing(`Search for the words “${part.phrase}” instead of ${label}`)}
          >
            {label}
          </Pill>
        );
      })}
      {back.map((phrase) => (
        <Pill
          key={phrase}
          withRemoveButton
          onRemove={() => onChange({ skip: skip.filter((other) => other !== phrase), page: 1 })}
          removeButtonProps={removing(`Let “${phrase}” be understood again`)}
        >
          “{phrase}” as words
        </Pill>
      ))}
    </Group>
  );
}

/** Mantine hides the button from the keyboard and from screen readers. */
function removing(label: string) {
  return { 'aria-label': label, title: label, tabIndex: 0, 'aria-hidden': false } as const;
}
