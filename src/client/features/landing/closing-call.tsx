import { Container, Group, Text, Title } from '@mantine/core';
import { ButtonLink } from '#client/components/display/links.tsx';
import classes from './closing-call.module.css';
import { ContactButton } from './contact-button.tsx';

export function ClosingCall() {
  return (
    <section className={classes['call']} aria-labelledby="closing-title">
      <Container size="sm" ta="center">
        <Title order={2} id="closing-title" className={classes['title'] ?? ''}>
          Your first search is a few minutes away
        </Title>
        <Text mt="sm" className={classes['lead'] ?? ''}>
          Sign up, drop a file of documents on the console, and search it by word and by meaning.
        </Text>
        <Group justify="center" gap="sm" mt="lg">
          <ButtonLink to="/register" size="md" className={classes['primary'] ?? ''}>
            Start Free Trial
          </ButtonLink>
          <ContactButton size="md" className={classes['secondary'] ?? ''} subject="A demo of Vectora">
            Schedule Demo
          </ContactButton>
        </Group>
      </Container>
    </section>
  );
}
