import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { arrowDownIcon, arrowUpIcon, xIcon } from '#client/components/display/icon-shapes.gen.ts';
import { limits } from '#shared/limits.ts';
import type { Override } from '#shared/overrides.ts';
import { DocumentPicker } from './document-picker.tsx';
import { pinsOf, withHidden, withoutHidden, withoutPin, withPin } from './pins.ts';
import classes from './placed-documents.module.css';
import { useTitles } from './use-titles.ts';

interface PlacedDocumentsProps {
  collection: number;
  override: Override;
  onChange: (override: Override) => void;
}

/** What an override puts at places of its own, and what it leaves out. */
export function PlacedDocuments({ collection, override, onChange }: PlacedDocumentsProps) {
  const pins = pinsOf(override);
  const hidden = override.excludes ?? [];
  const { titles, isKnown } = useTitles(
    collection,
    [...pins, ...hidden].map(({ id }) => id),
  );
  const nameOf = (id: string) => titles.get(id) ?? id;
  const isGone = (id: string) => isKnown && !titles.has(id);
  const nextPlace = (pins.at(-1)?.position ?? 0) + 1;
  return (
    <>
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          At places of their own
        </Text>
        {pins.map(({ id, position }) => (
          <Row key={id} place={`#${position}`} name={nameOf(id)} isGone={isGone(id)}>
            <ActionIcon
              aria-label={`One higher: ${nameOf(id)}`}
              disabled={position === 1}
              onClick={() => onChange(withPin(override, id, position - 1))}
            >
              <Icon shape={arrowUpIcon} />
            </ActionIcon>
            <ActionIcon
              aria-label={`One lower: ${nameOf(id)}`}
              disabled={position === limits.pinPositionMax}
              onClick={() => onChange(withPin(override, id, position + 1))}
            >
              <Icon shape={arrowDownIcon} />
            </ActionIcon>
            <ActionIcon aria-label={`Unpin ${nameOf(id)}`} onClick={() => onChange(withoutPin(override, id))}>
              <Icon shape={xIcon} />
            </ActionIcon>
          </Row>
        ))}
        {pins.length < limits.overridePinsMax && (
          <DocumentPicker
            collection={collection}
            label={`Put a document at #${nextPlace}`}
            onPick={(id) => onChange(withPin(override, id, nextPlace))}
          />
        )}
      </Stack>
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Left out
        </Text>
        {hidden.map(({ id }) => (
          <Row key={id} place="" name={nameOf(id)} isGone={isGone(id)}>
            <ActionIcon
              aria-label={`Leave out no more: ${nameOf(id)}`}
              onClick={() => onChange(withoutHidden(override, id))}
            >
              <Icon shape={xIcon} />
            </ActionIcon>
          </Row>
        ))}
        {hidden.length < limits.overrideHiddenMax && (
          <DocumentPicker
            collection={collection}
            label="Leave a document out"
            onPick={(id) => onChange(withHidden(override, id))}
          />
        )}
      </Stack>
    </>
  );
}

interface RowProps {
  place: string;
  name: string;
  isGone: boolean;
  children: ReactNode;
}

function Row({ place, name, isGone, children }: RowProps) {
  return (
    <div className={classes['row']}>
      <span className={classes['place']}>{place}</span>
      <div className={classes['name']}>
        <Text size="sm" dir="auto" truncate title={name}>
          {name}
        </Text>
        {isGone && (
          <Text size="xs" c="dimmed">
            There is no such document now
          </Text>
        )}
      </div>
      <Group gap={0} wrap="nowrap">
        {children}
      </Group>
    </div>
  );
}
