import { Button, type ButtonProps, Text } from '@mantine/core';
import { useState } from 'react';
import { findContact, letterTo } from './contact.ts';
import classes from './contact-button.module.css';

interface ContactButtonProps extends ButtonProps {
  children: string;
  /** Of the letter. */
  subject: string;
}

/** Begins a letter to whoever runs this server; where nobody is named, it says so and what can be done instead. */
export function ContactButton({ subject, children, ...look }: ContactButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const contact = findContact();
  if (contact !== null) {
    return (
      <Button component="a" href={letterTo(contact, subject)} {...look}>
        {children}
      </Button>
    );
  }
  return (
    <>
      <Button {...look} onClick={() => setIsAsked(true)}>
        {children}
      </Button>
      {isAsked && (
        <Text size="sm" role="alert" className={classes['note'] ?? ''}>
          Whoever runs this server has named nobody to write to (<code>CONTACT_EMAIL</code>). The search at
          the top is the whole demo, and an account shows the rest.
        </Text>
      )}
    </>
  );
}
