import { Button, Container, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { playerPlayIcon, playerStopIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import classes from './hero.module.css';
import { ProductPicture } from './product-picture.tsx';
import { ProductSearch } from './product-search.tsx';
import { useDemoRun } from './use-demo-run.ts';

/** What it is, in a sentence and in a search that answers; below it what signed-in people see. */
export function Hero() {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const demo = useDemoRun(setText);
  const watch = () => {
    box.current?.scrollIntoView({ block: 'center' });
    demo.start();
  };
  const type = (typed: string) => {
    demo.stop();
    setText(typed);
  };
  return (
    <div className={classes['hero']}>
      <Container size="lg" className={classes['columns'] ?? ''}>
        <div>
          <Title order={1} tabIndex={-1} className={classes['title'] ?? ''}>
            Search that understands what people <span className={classes['mean']}>mean</span>
          </Title>
          <Text className={classes['lead'] ?? ''}>
            Load your documents, send a sentence, get the right ones back. Keyword, vector and hybrid search
            behind one API that explains every hit.
          </Text>
          <div className={classes['actions']}>
            <ButtonLink to="/register" size="md" className={classes['primary'] ?? ''}>
              Start Free Trial
            </ButtonLink>
            <Button
              size="md"
              className={classes['secondary'] ?? ''}
              leftSection={<Icon shape={demo.isRunning ? playerStopIcon : playerPlayIcon} />}
              onClick={demo.isRunning ? demo.stop : watch}
            >
              {demo.isRunning ? 'Stop Demo' : 'Watch Demo'}
            </Button>
          </div>
          <Text className={classes['terms'] ?? ''}>
            No card is asked for, and the free plan does not end.
          </Text>
          <ul className={classes['legend']} aria-label="What a score is made of">
            <li data-side="words">what the words say</li>
            <li data-side="meaning">what is meant</li>
          </ul>
        </div>
        <ProductSearch inputRef={box} text={text} onType={type} />
      </Container>
      <Container size="lg">
        <ProductPicture />
      </Container>
    </div>
  );
}
