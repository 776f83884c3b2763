import { Text } from '@mantine/core';
import classes from '#client/components/code/code.module.css';
import { fieldLabel } from '#client/lib/field-label.ts';
import { changedFields, type FieldChange } from './changed-fields.ts';
import type { Fields } from './known.ts';

const kinds = ['changed', 'added', 'removed'] as const;

/** Which fields a change is about, in a sentence. `who`: "You", "They". */
export function ChangeSummary({ who, before, after }: { who: string; before: Fields; after: Fields }) {
  const changes = changedFields(before, after);
  const parts = kinds.flatMap((kind) => {
    const named = namesOf(changes, kind);
    return named === '' ? [] : [`${kind} ${named}`];
  });
  return (
    <Text size="sm" dir="auto" className={classes['summary'] ?? ''}>
      {parts.length === 0 ? `${who} changed the order or the spacing alone.` : `${who} ${parts.join('; ')}.`}
    </Text>
  );
}

const namesShownMax = 8;

function namesOf(changes: FieldChange[], kind: FieldChange['kind']): string {
  const names = changes.filter((change) => change.kind === kind).map(({ field }) => fieldLabel(field));
  const more = names.length - namesShownMax;
  return [...names.slice(0, namesShownMax), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
