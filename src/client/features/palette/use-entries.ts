import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  boxIcon,
  deviceDesktopIcon,
  folderIcon,
  keyboardIcon,
  keyIcon,
  logoutIcon,
  moonIcon,
  plusIcon,
  stack2Icon,
  sunIcon,
  uploadIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { useNavigation } from '#client/components/shell/use-navigation.ts';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { useLoadSample } from '#client/lib/imports/use-load-sample.ts';
import { useMay, useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import { sampleNames, sampleSets } from '#shared/sample-sets.ts';
import type { Entry } from './rank-entries.ts';

interface Things {
  collections: Collection[];
  keys: ApiKey[];
}

/** All that the palette can lead to or do but the documents: pages, actions, and the chosen workspace's things. */
export function useEntries({ collections, keys }: Things): Entry[] {
  const navigate = useNavigate();
  const { projects } = useWorkspace();
  const pages = usePages();
  const actions = useActions();
  return useMemo(() => {
    const nameOf = (id: number | null) => projects.find((project) => project.id === id)?.name;
    const under = (id: number | null) => {
      const detail = nameOf(id);
      return detail === undefined ? {} : { detail };
    };
    return [
      ...pages,
      ...actions,
      ...projects.map(
        ({ id, name }): Entry => ({
          key: `project-${id}`,
          kind: 'Project',
          label: name,
          icon: folderIcon,
          run: () => void navigate({ to: '/projects/$id', params: { id } }),
        }),
      ),
      ...collections.map(
        ({ id, name, projectId }): Entry => ({
          key: `collection-${id}`,
          kind: 'Collection',
          label: name,
          ...under(projectId),
          icon: stack2Icon,
          run: () => void navigate({ to: '/search', search: { collection: id } }),
        }),
      ),
      ...keys.map(
        ({ id, name, projectId }): Entry => ({
          key: `key-${id}`,
          kind: 'API key',
          label: name,
          ...under(projectId),
          icon: keyIcon,
          run: () =>
            void navigate({ to: '/projects/$id', params: { id: projectId }, search: { tab: 'api-keys' } }),
        }),
      ),
    ];
  }, [pages, actions, projects, collections, keys, navigate]);
}

function usePages(): Entry[] {
  const navigate = useNavigate();
  const navigation = useNavigation();
  return useMemo(
    () =>
      navigation.map(({ to, label, icon }) => ({
        key: to,
        kind: 'Page',
        label,
        icon,
        run: () => void navigate({ to }),
      })),
    [navigation, navigate],
  );
}

function useActions(): Entry[] {
  const navigate = useNavigate();
  const navigation = useNavigation();
  const { open } = useDialogs();
  const { logout } = useAuth();
  const { setColorScheme } = useMantineColorScheme();
  const may = useMay();
  const loadSample = useLoadSample();
  const [mayWrite, mayMakeKeys] = [may('editor'), may('admin')];
  return useMemo(() => {
    const action = (label: string, icon: Entry['icon'], run: () => void): Entry => ({
      key: label,
      kind: 'Action',
      label,
      icon,
      run,
    });
    return [
      ...navigation.flatMap(({ create }) =>
        create && mayWrite ? [action(create.label, plusIcon, () => open(create.dialog))] : [],
      ),
      action('New Workspace', boxIcon, () => open('create-workspace')),
      ...(mayMakeKeys ? [action('New API Key', keyIcon, () => void navigate({ to: '/projects' }))] : []),
      ...(mayWrite ? [action('Upload Documents', uploadIcon, () => open('import-documents'))] : []),
      ...sampleNames.flatMap((sample) =>
        mayWrite
          ? [action(`Load the sample ${sampleSets[sample].title}`, stack2Icon, () => loadSample(sample))]
          : [],
      ),
      action('Keyboard shortcuts', keyboardIcon, () => open('shortcuts')),
      action('Light theme', sunIcon, () => setColorScheme('light')),
      action('Dark theme', moonIcon, () => setColorScheme('dark')),
      action('System theme', deviceDesktopIcon, () => setColorScheme('auto')),
      action('Sign out', logoutIcon, () => void logout()),
    ];
  }, [navigation, open, navigate, setColorScheme, logout, loadSample, mayWrite, mayMakeKeys]);
}
