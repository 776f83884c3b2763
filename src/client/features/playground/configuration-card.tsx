import { Button, SimpleGrid, Text } from '@mantine/core';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { Select } from '#client/components/later/select.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { hasExpired } from '#client/lib/has-expired.ts';
import { May, useMay } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { ChangePlayground } from './playground-state.ts';
import type { Place } from './use-place.ts';

interface ConfigurationCardProps {
  place: Place;
  onChange: ChangePlayground;
}

/** Where requests go, and as whom. */
export function ConfigurationCard({ place, onChange }: ConfigurationCardProps) {
  const { projects, project, selectProject, collection, collections, collectionList } = place;
  const { open } = useDialogs();
  const chooseProject = (id: string | null) => {
    selectProject(id === null ? null : Number(id));
    onChange({ collection: undefined, key: undefined });
  };
  const hasNone = project !== null && collectionList.isSuccess && collections.length === 0;
  return (
    <Panel title="Configuration">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <Select
          label="Project"
          placeholder="Select a project"
          searchable={projects.length > 8}
          clearable
          allowDeselect={false}
          data={projects.map(toOption)}
          value={project === null ? null : String(project.id)}
          onChange={chooseProject}
        />
        <Select
          label="Collection"
          placeholder="Select a collection"
          searchable={collections.length > 8}
          clearable
          allowDeselect={false}
          disabled={project === null}
          data={collections.map(toOption)}
          value={collection === null ? null : String(collection.id)}
          onChange={(id) => onChange({ collection: id === null ? undefined : Number(id) })}
          {...(collectionList.isError && {
            error: <Failed title="Failed to fetch collections" onRetry={collectionList.refetch} />,
          })}
          {...(hasNone && {
            inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
            description: (
              <>
                This project has none yet.{' '}
                <May atLeast="editor">
                  <Button
                    variant="transparent"
                    size="compact-xs"
                    p={0}
                    onClick={() => open('create-collection', { projectId: project.id })}
                  >
                    Create one
                  </Button>
                </May>
              </>
            ),
          })}
        />
        <KeyField place={place} onChange={onChange} />
      </SimpleGrid>
    </Panel>
  );
}

function KeyField({ place: { project, keyList, apiKey }, onChange }: ConfigurationCardProps) {
  const keys = keyList.data ?? [];
  const hasNone = project !== null && keyList.isSuccess && keys.length === 0;
  const may = useMay();
  return (
    <Select
      label="API Key"
      placeholder="Select an API key"
      searchable={keys.length > 8}
      clearable
      allowDeselect={false}
      disabled={project === null}
      data={keys.map((key) => ({ ...toOption(key), disabled: !canCall(key) }))}
      renderOption={({ option }) => {
        const key = keys.find(({ id }) => String(id) === option.value);
        return (
          <span>
            <bdi>{option.label}</bdi>
            <Text span size="xs" c="dimmed" ml={8}>
              {key && whatItMay(key)}
            </Text>
          </span>
        );
      }}
      value={apiKey === null ? null : String(apiKey.id)}
      onChange={(id) => onChange({ key: id === null ? undefined : Number(id) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...(keyList.isError && {
        error: <Failed title="Failed to fetch API keys" onRetry={keyList.refetch} />,
      })}
      {...(hasNone && {
        description: (
          <>
            This project has none yet.{' '}
            {may('admin') ? (
              <AnchorLink
                to="/projects/$id"
                params={{ id: project.id }}
                search={{ tab: 'api-keys' }}
                inherit
                underline="always"
              >
                Create one
              </AnchorLink>
            ) : (
              'Owners and admins of the workspace make them.'
            )}
          </>
        ),
      })}
    />
  );
}

const toOption = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name });

function canCall(key: ApiKey): boolean {
  return key.isActive && !hasExpired(key);
}

function whatItMay(key: ApiKey): string {
  if (!key.isActive) return 'inactive';
  return hasExpired(key) ? 'expired' : key.permissions.join(' and ');
}

function Failed({ title, onRetry }: { title: string; onRetry: () => unknown }) {
  return (
    <>
      {title}{' '}
      <Button variant="transparent" size="compact-xs" p={0} onClick={() => onRetry()}>
        Try again
      </Button>
    </>
  );
}
