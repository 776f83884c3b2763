import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
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
