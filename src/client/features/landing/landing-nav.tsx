import { Burger, Container } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ButtonLink } from '#client/components/display/links.tsx';
import { Brand } from '#client/components/shell/brand.tsx';
import classes from './landing-nav.module.css';
import { SchemeButton } from './scheme-button.tsx';

const anchors = [
  { href: '#features', label: 'Features' },
  { href: '#use-cases', label: 'Use Cases' },
  { href: '#pricing', label: 'Pricing' },
  { href: '#docs', label: 'Docs' },
];

export function LandingNav({ isSignedIn }: { isSignedIn: boolean }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <header className={classes['header']}>
      <Container size="lg" className={classes['bar'] ?? ''}>
        <Brand />
        <nav id="landing-menu" aria-label="Main" className={classes['menu']} data-open={isOpen || undefined}>
          {anchors.map(({ href, label }) => (
            <a key={href} href={href} className={classes['anchor']} onClick={close}>
              {label}
            </a>
          ))}
          <div className={classes['actions']}>
            <SchemeButton />
            {isSignedIn ? (
              <ButtonLink to="/dashboard">Dashboard</ButtonLink>
            ) : (
              <>
                <ButtonLink to="/login" variant="default">
                  Sign In
                </ButtonLink>
                <ButtonLink to="/register">Get Started</ButtonLink>
              </>
            )}
          </div>
        </nav>
        <Burger
          className={classes['burger'] ?? ''}
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={isOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isOpen}
          aria-controls="landing-menu"
        />
      </Container>
    </header>
  );
}
