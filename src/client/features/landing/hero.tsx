import { Button, Container, Text, Title } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { sparklesIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import classes from './hero.module.css';
import { ProductSearch } from './product-search.tsx';

export function Hero() {
  const box = useRef<HTMLInputElement>(null);
  return (
    <div className={classes['hero']}>
      <Container size="lg" className={classes['columns'] ?? ''}>
        <div>
          <Title order={1} tabIndex={-1} className={classes['title'] ?? ''}>
            Search that understands what people mean
          </Title>
          <Text className={classes['lead'] ?? ''} c="dimmed">
            Load your documents, send a sentence, get the right ones back. Keyword, vector and hybrid search
            behind one API, with a console to see why.
          </Text>
          <div className={classes['actions']}>
            <ButtonLink to="/register" size="md">
              Start Free Trial
            </ButtonLink>
            <Button
              size="md"
              variant="default"
              leftSection={<Icon shape={sparklesIcon} />}
              onClick={() => box.current?.focus()}
            >
              Watch Demo
            </Button>
          </div>
        </div>
        <ProductSearch inputRef={box} />
      </Container>
    </div>
  );
}
