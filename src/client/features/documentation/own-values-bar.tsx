import { Button, NativeSelect, Text } from '@mantine/core';
import { KeyChoice } from '#client/components/display/key-choice.tsx';
import { AnchorLink } from '#client/components/display/links.tsx';
import { sampleCollection } from '#shared/articles/sample-request.ts';
import { useOwnValues } from './own-values.ts';
import classes from './own-values-bar.module.css';

/** The fields of the sample that the articles are about. */
const sampleFields = 'title, extract, year, cast and genres';

/** Whose names and key stand in the code below. `namesFields`: the code names fields of the sample, too. */
export function OwnValuesBar({ namesFields = false }: { namesFields?: boolean }) {
  const values = useOwnValues();
  if (values.collections.length === 0)
    return (
      <Text size="sm" c="dimmed" className={classes['bar'] ?? ''}>
        Your own collection and key stand in the code once you have a{' '}
        <AnchorLink to="/collections" underline="always">
          collection
        </AnchorLink>
        .
      </Text>
    );
  return (
    <div className={classes['bar']}>
      <NativeSelect
        size="xs"
        label="Collection"
        value={String(values.collection?.id ?? '')}
        data={values.collections.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(event) => values.chooseCollection(Number(event.currentTarget.value))}
      />
      <OwnKey />
      {namesFields && values.collection?.name !== sampleCollection && (
        <Text size="sm" c="dimmed" className={classes['note'] ?? ''}>
          Fields in the code are those of the sample “{sampleCollection}”: {sampleFields}. Put your own in
          their place.
        </Text>
      )}
    </div>
  );
}

function OwnKey() {
  const { keys, apiKey, shownKey, isRevealing, chooseKey, toggleKey, collection } = useOwnValues();
  if (keys === null) return null;
  if (keys.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {collection && (
          <AnchorLink
            to="/projects/$id"
            params={{ id: collection.projectId }}
            search={{ tab: 'api-keys' }}
            underline="always"
          >
            Make a key
          </AnchorLink>
        )}{' '}
        to have it in the code.
      </Text>
    );
  return (
    <>
      <KeyChoice keys={keys} apiKey={apiKey} onChoose={chooseKey} isLabelled />
      {apiKey && (
        <Button size="xs" variant="default" loading={isRevealing} onClick={() => void toggleKey()}>
          {shownKey === null ? 'Show the key' : 'Hide the key'}
        </Button>
      )}
    </>
  );
}
