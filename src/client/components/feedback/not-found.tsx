import { Center, Stack, Text, Title } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { ButtonLink } from '../display/links.tsx';
import { Brand } from '../shell/brand.tsx';
import { SpinnerPage } from './page-spinner.tsx';

/** Any address that is no page. Who is not signed in is sent to the start, as from every page but the public ones. */
export function NotFound() {
  const { isLoading, isAuthenticated } = useAuth();
  if (isLoading) return <SpinnerPage />;
  if (!isAuthenticated) return <Navigate to="/" replace />;
  return (
    <Center component="main" id="main" tabIndex={-1} mih="100dvh" p="lg">
      <Stack align="center" gap="sm" ta="center">
        <Brand />
        <Title order={1} tabIndex={-1} mt="lg">
          404 Page Not Found
        </Title>
        <Text c="dimmed">Did you forget to add the page to the router?</Text>
        <ButtonLink to="/dashboard" mt="sm">
          Go to the dashboard
        </ButtonLink>
      </Stack>
    </Center>
  );
}
