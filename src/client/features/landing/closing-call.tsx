import { Container, Group, Text, Title } from '@mantine/core';
import { ButtonLink } from '#client/components/display/links.tsx';
import classes from './closing-call.module.css';

export function ClosingCall() {
  return (
    <section className={classes['call']} aria-labelledby="closing-title">
      <Container size="sm" ta="center">
        <Title order={2} id="closing-title" className={classes['title'] ?? ''}>
          Your first search is a few minutes away
        </Title>
        <Text mt="xs" c="dimmed">
          Sign up, drop a file of documents on the console, and search it by word and by meaning.
        </Text>
        <Group justify="center" gap="sm" mt="lg">
          <ButtonLink to="/register" size="md">
            Start Free Trial
          </ButtonLink>
          <ButtonLink to="/register" size="md" variant="default">
            Schedule Demo
          </ButtonLink>
        </Group>
      </Container>
    </section>
  );
}
