import { Center, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, use, useEffect } from 'react';
import { isUnreachable } from '#client/lib/error-message.ts';
import { isOnline } from '#client/lib/is-online.ts';
import { MissingCodeError } from '#client/lib/lazy-page.ts';
import { askServer, noteFailure, onReturn } from '#client/lib/reachability.ts';
import { useReachability } from '#client/lib/use-reachability.ts';
import { Brand } from '../shell/brand.tsx';
import { InShell } from '../shell/in-shell.ts';
import { ErrorView } from './error-view.tsx';

/** A route that failed as a whole. Where the server or a part of the console was out of reach, it comes back by itself. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const isCode = error instanceof MissingCodeError;
  const isAway = isCode || isUnreachable(error);
  const state = useReachability();
  useEffect(() => {
    if (!isAway) return undefined;
    noteFailure(error);
    const again = () => {
      // What a browser could not import it does not always ask for again.
      if (isCode) return reloadOnce();
      reset();
      return router.invalidate();
    };
    return onReturn(() => void again());
  }, [error, isAway, isCode, reset, router]);
  // After an update the old parts are gone although the server answers.
  useEffect(() => {
    if (isCode && isOnline()) void askServer();
  }, [isCode]);
  const retry = () => {
    if (isCode) return window.location.reload();
    reset();
    return router.invalidate();
  };
  return (
    <Frame>
      <VisuallyHidden>
        <Title order={1} tabIndex={-1}>
          This page could not be loaded
        </Title>
      </VisuallyHidden>
      <ErrorView error={isCode ? new Error(missingCode) : error} onRetry={retry} />
      {isAway && (
        <Text size="sm" c="dimmed" role="status">
          {state === 'offline'
            ? 'You are offline. The page opens by itself when you are back.'
            : 'This page asks again by itself, and opens as soon as there is an answer.'}
        </Text>
      )}
    </Frame>
  );
}

/** Inside the console's frame the page alone, else whose page it is. */
function Frame({ children }: { children: ReactNode }) {
  if (use(InShell)) {
    return (
      <Stack p="lg" maw="40rem" mx="auto">
        {children}
      </Stack>
    );
  }
  return (
    <Center component="main" id="main" tabIndex={-1} mih="100dvh" p="lg">
      <Stack maw="32rem" align="stretch">
        <Center>
          <Brand />
        </Center>
        {children}
      </Stack>
    </Center>
  );
}

const reloadsKey = 'reloadedAt';
const reloadPauseMs = 30_000;

/** A part that is gone for good must not reload the page for ever. */
function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadsKey) ?? 0);
  if (Date.now() - last < reloadPauseMs) return;
  sessionStorage.setItem(reloadsKey, String(Date.now()));
  window.location.reload();
}

const missingCode =
  'A part of the console could not be fetched. Check your connection; after an update, trying again loads the new version.';
