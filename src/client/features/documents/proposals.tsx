import { Badge, Group, Text } from '@mantine/core';
import type { ColumnPlan } from './import-plan.ts';
import { type FoundField, proposeFacets, proposeId, proposeTitle } from './infer-fields.ts';

/** What the search will make of the fields: found by their first values, changed by renaming or leaving out columns. */
export function Proposals({ fields, columns }: { fields: FoundField[]; columns: ColumnPlan[] }) {
  const kept = columns.length === 0 ? fields : fields.flatMap((field) => renamed(field, columns));
  const title = kept.find(({ name }) => name === 'title' || name === 'name')?.name ?? null;
  const id = kept.find(({ name }) => name === 'id') ? 'id' : null;
  const facets = proposeFacets(kept, title ?? proposeTitle(kept));
  const likelyId = proposeId(kept);
  return (
    <Group gap="xs" aria-label="What the search makes of it" role="group">
      <Fact term="Title" value={title} otherwise="none: name a field “title” or “name”" />
      <Fact
        term="Id"
        value={id}
        otherwise={
          likelyId
            ? `made for each row; “${likelyId}” could be it`
            : 'made for each row: importing twice doubles them'
        }
      />
      {facets.length > 0 && <Fact term="To narrow by" value={facets.join(', ')} otherwise="" />}
    </Group>
  );
}

function renamed(field: FoundField, columns: ColumnPlan[]): FoundField[] {
  const plan = columns.find(({ column }) => column === field.name);
  return plan?.field ? [{ ...field, name: plan.field }] : [];
}

function Fact({ term, value, otherwise }: { term: string; value: string | null; otherwise: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={value ? 'iris' : 'gray'}>{term}</Badge>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {value ?? otherwise}
      </Text>
    </Group>
  );
}
