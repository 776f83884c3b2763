import { Container, Group, Text } from '@mantine/core';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Brand } from '#client/components/shell/brand.tsx';
import classes from './landing-footer.module.css';

export function LandingFooter() {
  return (
    <footer className={classes['footer']}>
      <Container size="lg">
        <Group justify="space-between">
          <Brand />
          <Group gap="md">
            <AnchorLink to="/login" size="sm" c="dimmed">
              Sign In
            </AnchorLink>
            <AnchorLink to="/register" size="sm" c="dimmed">
              Get Started
            </AnchorLink>
          </Group>
        </Group>
        <Text size="xs" c="dimmed" mt="md">
          Vectora is open source under the Apache License 2.0.
        </Text>
      </Container>
    </footer>
  );
}
