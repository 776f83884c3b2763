import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { fileSearchIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { ChangeSearch, SearchState } from '../search-state.ts';
import { toolLook } from '../tool-look.ts';

const LocateDialog = lazy(() =>
  import('./locate-dialog.tsx').then((module) => ({ default: module.LocateDialog })),
);

interface LocateButtonProps {
  state: SearchState;
  collection: { id: number; name: string };
  onChange: ChangeSearch;
}

/** The dialog is fetched when it is opened for the first time. */
export function LocateButton(props: LocateButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const open = () => {
    setOpen(true);
    setWasOpen(true);
  };
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        classNames={toolLook}
        leftSection={<Icon shape={fileSearchIcon} size={16} />}
        onClick={open}
      >
        Where is my document?
      </Button>
      {wasOpen && (
        <Suspense fallback={null}>
          <LocateDialog {...props} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
