import { Badge, Code, Group, Progress, Text } from '@mantine/core';
import { AnchorLink } from '#client/components/display/links.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { DeclaredField } from '#shared/collections.ts';
import { filterWithout, type KnownField, nameOf, odditiesOf, typesOf } from './known-field.ts';
import classes from './schema-tab.module.css';
import { countedValues, type FieldValues } from './use-field-values.ts';

interface FieldRowProps {
  collection: number;
  field: KnownField;
  declared: DeclaredField | undefined;
  outOf: number;
  /** Undefined while they are counted. */
  values: FieldValues | undefined;
}

export function FieldRow({ collection, field, declared, outOf, values }: FieldRowProps) {
  const { path } = field;
  return (
    <tr>
      <td className={cells['name']}>
        <Code>{path}</Code>
        <Text size="xs" c="dimmed" dir="auto">
          {fieldLabel(path)}
        </Text>
      </td>
      <td>
        <Types field={field} declared={declared} />
        {odditiesOf(field, declared).map(({ text, filter }) =>
          filter === null ? (
            <Text key={text} size="xs" c="dimmed">
              {text}
            </Text>
          ) : (
            <AnchorLink
              key={text}
              to="/collections/$id"
              params={{ id: collection }}
              search={{ tab: 'documents', filter }}
              size="xs"
              display="block"
            >
              {text}
            </AnchorLink>
          ),
        )}
      </td>
      <td>
        <Text size="sm" {...(!declared && { c: 'dimmed' })}>
          {declared ? `${nameOf(declared.type)}${declared.required ? ', required' : ''}` : 'inferred'}
        </Text>
      </td>
      <td>
        <Share collection={collection} field={field} outOf={outOf} />
      </td>
      <td className={cells['words']}>{values && <Values values={values} />}</td>
    </tr>
  );
}

/** Each with its share where there are several. */
function Types({ field, declared }: Pick<FieldRowProps, 'field' | 'declared'>) {
  const types = typesOf(field);
  if (types.length === 0) return <Badge color="gray">{declared ? nameOf(declared.type) : 'no values'}</Badge>;
  const all = types.reduce((sum, { documentCount }) => sum + documentCount, 0);
  return (
    <Group gap={4}>
      {types.map(({ type, documentCount }, i) => (
        <Badge key={type} color={i === 0 ? 'blue' : 'gray'}>
          {nameOf(type)}
          {types.length > 1 && ` ${percent(documentCount / all)}`}
        </Badge>
      ))}
    </Group>
  );
}

function Share({ collection, field, outOf }: Pick<FieldRowProps, 'collection' | 'field' | 'outOf'>) {
  const { path, documentCount } = field;
  // The count of a moment later may be the larger one.
  const share = outOf === 0 ? 0 : Math.min(1, documentCount / outOf);
  const without = Math.max(0, outOf - documentCount);
  return (
    <>
      <div className={classes['share']}>
        <Progress value={share * 100} size="sm" aria-hidden="true" className={classes['bar'] ?? ''} />
        <Text size="sm">
          {formatNumber(documentCount)}
          <Text span c="dimmed" size="xs">
            {' '}
            {percent(share)}
          </Text>
        </Text>
      </div>
      {without > 0 && documentCount > 0 && (
        <AnchorLink
          to="/collections/$id"
          params={{ id: collection }}
          search={{ tab: 'documents', filter: filterWithout(path) }}
          size="xs"
        >
          {formatNumber(without)} without
        </AnchorLink>
      )}
    </>
  );
}

function Values({ values: { examples, distinct, range } }: { values: FieldValues }) {
  const many =
    distinct === null
      ? `more than ${countedValues} values`
      : `${distinct} ${distinct === 1 ? 'value' : 'values'}`;
  const span = range && (range.min === range.max ? String(range.min) : `${range.min} to ${range.max}`);
  return (
    <>
      <Text size="xs" c="dimmed">
        {span ? `${span}, ${many}` : many}
      </Text>
      <Text size="sm" lineClamp={2} dir="auto">
        {examples.join(' · ')}
      </Text>
    </>
  );
}

/** A share that is not all is never shown as all, nor one that is something as nothing. */
function percent(share: number): string {
  if (share > 0 && share < 0.005) return '< 1 %';
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100} %`;
}
