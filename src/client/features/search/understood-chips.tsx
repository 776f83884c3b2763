import { Group, Pill } from '@mantine/core';
import type { EffectiveRequest, UnderstoodPart } from '#shared/search.ts';
import type { ChangeSearch, SearchState } from './search-state.ts';
import { type Demand, takenBack, understoodLabel, withoutDemand } from './understood.ts';

interface UnderstoodChipsProps {
  state: SearchState;
  onChange: ChangeSearch;
  parts: UnderstoodPart[];
  /** Its phrases and exclusions. */
  demands: Demand[];
  /** Words that nobody holds, and what was looked for in their place. */
  corrections: NonNullable<EffectiveRequest['corrected_tokens']>;
}

/** What was read as conditions, phrases, exclusions and typos; each can be taken back, and what was taken back be understood again. */
export function UnderstoodChips({ state, onChange, parts, demands, corrections }: UnderstoodChipsProps) {
  const { skip } = state;
  const back = takenBack(state);
  if (parts.length + back.length + demands.length + corrections.length === 0) return null;
  return (
    <Group gap="xs" mb="xs" role="group" aria-label="What was understood">
      {demands.map((demand) => (
        <Pill
          key={`${demand.kind} ${demand.text}`}
          withRemoveButton
          onRemove={() => onChange({ q: withoutDemand(state.q, demand), page: 1 })}
          removeButtonProps={removing(
            demand.kind === 'phrase'
              ? `Search for the words of “${demand.text}” wherever they stand`
              : `Leave “${demand.text}” out no longer`,
          )}
        >
          {demand.kind === 'phrase' ? `“${demand.text}” word for word` : `without “${demand.text}”`}
        </Pill>
      ))}
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
      {corrections.map(({ from, to }) => (
        <Pill
          key={`${from} ${to}`}
          withRemoveButton
          onRemove={() => onChange({ tuned: { ...state.tuned, num_typos: 0 }, page: 1 })}
          removeButtonProps={removing(`Search for “${from}” as it was typed`)}
        >
          “{from}” read as “{to}”
        </Pill>
      ))}
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
