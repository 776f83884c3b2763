import { Alert, Button, Code, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { failureOf } from '#client/lib/error-message.ts';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon, refreshIcon } from '../display/icon-shapes.gen.ts';

/**
 * A failure where its content would have been: `<ErrorView error={query.error} title="Failed to fetch projects" onRetry={query.refetch} />`.
 * Says what failed, the server's words, the request id, and offers to try again; the rest of the page lives on.
 */
export function ErrorView({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  title?: string;
  onRetry?: () => unknown;
}) {
  const failure = failureOf(error);
  return (
    <Alert
      color="red"
      icon={<Icon shape={alertTriangleIcon} />}
      title={title ?? 'This could not be loaded'}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        <Group gap="sm">
          {onRetry && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon shape={refreshIcon} />}
              onClick={() => onRetry()}
            >
              Try again
            </Button>
          )}
          {failure.requestId && (
            <Text size="xs" c="dimmed">
              Request <Code>{failure.requestId}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** A route that failed as a whole; trying again resets the queries that failed and the route. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const isCode = isMissingCode(error);
  return (
    <Stack p="lg" maw="40rem" mx="auto">
      <VisuallyHidden>
        <Title order={1} tabIndex={-1}>
          This page could not be loaded
        </Title>
      </VisuallyHidden>
      <ErrorView
        error={isCode ? new Error(missingCode) : error}
        onRetry={() => {
          if (isCode) return window.location.reload();
          reset();
          return router.invalidate();
        }}
      />
    </Stack>
  );
}

const missingCode =
  'A part of the console could not be fetched. Check your connection; after an update, trying again loads the new version.';

/** The browsers' words for a dynamic import that failed; they remember the failure, so that only a reload helps. */
function isMissingCode(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  );
}
